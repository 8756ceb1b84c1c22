// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features collection VERB}. */
@Command(
    name = "collection",
    description = "Makes collections of features, changes and lists them.",
    subcommands = {
      CollectionCreateCommand.class,
      CollectionCommand.Listing.class,
      CollectionCommand.Info.class,
      CollectionUpdateCommand.class,
      CollectionCommand.History.class,
      CollectionCommand.Delete.class,
      CollectionCommand.Restore.class,
      CollectionCommand.Purge.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark features collection create roads",
      "  tidemark features collection list --deleted",
      "  tidemark features collection history roads off"
    })
final class CollectionCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }

  @Command(
      name = "list",
      description = "Lists collections by their ids.",
      footer = {
        "",
        "Examples:",
        "  tidemark features collection list",
        "  tidemark features collection list --deleted --json"
      })
  static final class Listing implements Callable<Integer> {
    @Mixin private FeatureStorageMixin storage;

    @Option(names = "--deleted", description = "Those that are deleted, too.")
    private boolean deleted;

    @Override
    public Integer call() {
      CollectionsRequest request = new CollectionsRequest(deleted);
      List<FeatureCollectionInfo> found = storage.ask(service -> service.collections(request));
      storage.print(
          WireJson.tree(found),
          found.isEmpty() ? "no collections" : CollectionFormatter.table(found));
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "info",
      description = "Shows a collection, deleted or not, and estimates what is in it.",
      footer = {"", "Examples:", "  tidemark features collection info roads --json"})
  static final class Info implements Callable<Integer> {
    @Mixin private CollectionMixin collection;

    @Override
    public Integer call() {
      return collection.show(CollectionAdministration::info);
    }
  }

  @Command(
      name = "history",
      description =
          "Says whether states that are replaced are kept from now on. What is kept stays.",
      footer = {
        "",
        "Examples:",
        "  tidemark features collection history roads off",
        "  tidemark features collection history roads on"
      })
  static final class History implements Callable<Integer> {
    @Mixin private CollectionMixin collection;

    @Parameters(index = "1", paramLabel = "on|off", description = "Whether to keep them.")
    private CollectionSettingsMixin.Switch wanted;

    @Override
    public Integer call() {
      boolean isOn = wanted == CollectionSettingsMixin.Switch.ON;
      CollectionSettings settings = CollectionSettings.none().withHistoryEnabled(Optional.of(isOn));
      return collection.show(administration -> administration.update(settings));
    }
  }

  @Command(
      name = "delete",
      description =
          "Hides a collection and lets nobody write to it. Nothing is lost; 'restore' undoes it.",
      footer = {"", "Examples:", "  tidemark features collection delete roads"})
  static final class Delete implements Callable<Integer> {
    @Mixin private CollectionMixin collection;

    @Override
    public Integer call() {
      String id = collection.id();
      return collection.remove(
          CollectionAdministration::delete,
          "deleted " + id,
          "nothing to delete: there is no " + id + ", or it is deleted already");
    }
  }

  @Command(
      name = "restore",
      description = "Brings a deleted collection back as it was.",
      footer = {"", "Examples:", "  tidemark features collection restore roads"})
  static final class Restore implements Callable<Integer> {
    @Mixin private CollectionMixin collection;

    @Override
    public Integer call() {
      return collection.show(CollectionAdministration::restore);
    }
  }

  @Command(
      name = "purge",
      description =
          "Drops a collection, deleted or not, with all its features and all their history."
              + " 'delete' is the way that can be undone.",
      footer = {
        "",
        "Exit code 7: it was said without --yes, and nothing was done.",
        "",
        "Examples:",
        "  tidemark features collection purge roads --yes"
      })
  static final class Purge implements Callable<Integer> {
    @Mixin private CollectionMixin collection;

    @Option(names = "--yes", description = "Yes, it can't be undone.")
    private boolean yes;

    @Override
    public Integer call() {
      String id = collection.id();
      if (!yes) {
        throw new RefusedException(
            "purging the collection "
                + id
                + " can't be undone; say --yes, or use 'tidemark features collection delete'");
      }
      return collection.remove(
          CollectionAdministration::purge,
          "purged " + id,
          "nothing to purge: there is no collection " + id);
    }
  }
}
