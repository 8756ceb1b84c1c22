// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeatureLoadProgress;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureMaintenance;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.TransactionSignal;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.api.features.WrittenFeatures.Result;
import io.tidemark.features.bulk.LoadProgress;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.log.LogAction;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.LoggedTransaction.SequencePosition;
import io.tidemark.features.maintain.CollectionStatistics;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.CommittedBatch;
import io.tidemark.features.write.RowResult;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Results of the storage as results of the service. */
final class FeatureResults {

  private FeatureResults() {}

  static List<ObjectNode> features(List<Feature> features) {
    return features.stream().map(Feature::json).toList();
  }

  static FeatureCollectionInfo collection(CollectionInfo info) {
    return new FeatureCollectionInfo((ObjectNode) info.json());
  }

  /** Returns settings as the storage takes them. */
  static CollectionOptions options(CollectionSettings settings) {
    return CollectionOptions.of((ObjectNode) WireJson.tree(settings));
  }

  static WrittenFeatures written(CommittedBatch committedBatch) {
    boolean done = committedBatch.result().done();
    return new WrittenFeatures(
        done,
        done ? Optional.of(committedBatch.txn().value()) : Optional.empty(),
        committedBatch.result().rows().stream().map(FeatureResults::row).toList());
  }

  private static WrittenFeatures.Row row(RowResult row) {
    if (row instanceof RowResult.Created created) {
      return row(Result.CREATED, row, Optional.of(created.state()));
    }
    if (row instanceof RowResult.Updated updated) {
      return row(Result.UPDATED, row, Optional.of(updated.state()));
    }
    if (row instanceof RowResult.Deleted deleted) {
      return row(Result.DELETED, row, deleted.state());
    }
    if (row instanceof RowResult.Purged purged) {
      return row(Result.PURGED, row, purged.state());
    }
    if (row instanceof RowResult.Conflict conflict) {
      return problem(Result.CONFLICT, row, conflict.message(), conflict.actual());
    }
    if (row instanceof RowResult.Missing missing) {
      return problem(Result.MISSING, row, missing.message(), Optional.empty());
    }
    if (row instanceof RowResult.Invalid invalid) {
      return problem(Result.INVALID, row, invalid.message(), Optional.empty());
    }
    return row(Result.RETAINED, row, Optional.empty());
  }

  private static WrittenFeatures.Row row(Result result, RowResult row, Optional<Feature> state) {
    return row(result, row, state, Optional.empty(), Optional.empty());
  }

  private static WrittenFeatures.Row problem(
      Result result, RowResult row, String message, Optional<Feature> actual) {
    return row(result, row, actual, Optional.of(message), actual.map(Feature::json));
  }

  private static WrittenFeatures.Row row(
      Result result,
      RowResult row,
      Optional<Feature> state,
      Optional<String> message,
      Optional<ObjectNode> actual) {
    Optional<XyzNamespace> xyz = state.flatMap(Feature::xyz);
    return new WrittenFeatures.Row(
        result,
        row.id(),
        xyz.flatMap(XyzNamespace::uuid),
        xyz.map(XyzNamespace::version),
        message,
        actual);
  }

  static FeatureTransaction transaction(LoggedTransaction logged) {
    Optional<SequencePosition> numbered = Optional.ofNullable(logged.numbered());
    return new FeatureTransaction(
        logged.txn().value(),
        numbered.map(SequencePosition::number),
        numbered.map(SequencePosition::at),
        logged.ts(),
        logged.appId(),
        Optional.ofNullable(logged.author()),
        logged.psqlId(),
        logged.signals().stream().map(FeatureResults::signal).toList());
  }

  private static TransactionSignal signal(LogAction logAction) {
    if (logAction instanceof LogAction.Message message) {
      return new TransactionSignal.Message(
          message.id(),
          Optional.ofNullable(message.text()),
          message.json() == null ? NullNode.instance : GeoJson.value(message.json()),
          Optional.ofNullable(message.attachment())
              .map(attached -> Base64.getEncoder().encodeToString(attached.bytes())));
    }
    return logAction instanceof LogAction.ModifyFeatures
        ? new TransactionSignal.FeaturesChanged(logAction.id())
        : new TransactionSignal.CollectionChanged(logAction.id());
  }

  static FeatureLoadProgress progress(LoadProgress now) {
    return new FeatureLoadProgress(
        FeatureLoadProgress.Phase.valueOf(now.phase().name()),
        now.rows(),
        now.bytes(),
        now.totalBytes(),
        now.tables(),
        now.elapsed());
  }

  static FeatureLoadReport load(LoadReport report) {
    return new FeatureLoadReport(
        report.collection(),
        report.txn().value(),
        report.loaded(),
        report.replaced(),
        report.skipped(),
        report.took().toMillis() / 1e3,
        report.problems());
  }

  static FeatureMaintenance maintenance(MaintenanceOutcome ended) {
    return ended instanceof MaintenanceOutcome.Done done
        ? new FeatureMaintenance.Done(done.upkeep().stream().map(FeatureResults::upkeep).toList())
        : new FeatureMaintenance.Busy();
  }

  private static FeatureMaintenance.Upkeep upkeep(MaintenanceReport maintenanceReport) {
    return new FeatureMaintenance.Upkeep(
        maintenanceReport.name(),
        maintenanceReport.steps().stream()
            .map(
                maintenanceStep ->
                    new FeatureMaintenance.Step(
                        maintenanceStep.kind().name().toLowerCase(Locale.ROOT),
                        maintenanceStep.table(),
                        maintenanceStep.detail()))
            .toList(),
        Optional.ofNullable(maintenanceReport.statistics()).map(FeatureResults::statistics),
        Optional.ofNullable(maintenanceReport.failure()));
  }

  private static FeatureMaintenance.Statistics statistics(CollectionStatistics measured) {
    return new FeatureMaintenance.Statistics(
        measured.features(),
        measured.byteSize(),
        measured.compressedSize(),
        new TreeMap<>(measured.byQrid()));
  }
}
