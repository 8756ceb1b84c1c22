// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.catalog.FieldRules;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How fields change with a migration. */
final class RuleOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--set",
      paramLabel = "TYPE.FIELD=JSON",
      description = "The field gets this value in every row.")
  private List<String> sets = List.of();

  @Option(
      names = "--rename",
      paramLabel = "TYPE.OLD=NEW",
      description = "The field gets another name.")
  private List<String> renames = List.of();

  @Option(names = "--remove", paramLabel = "TYPE.FIELD", description = "The field goes.")
  private List<String> removals = List.of();

  /** A field of a type, and what is said of it. */
  private record Said(TypeId type, String field, String value) {}

  FieldRules rules(Collection<TypeId> types) {
    return new FieldRules(
        renames.stream()
            .map(text -> assigned(text, "--rename", "TYPE.OLD=NEW", types))
            .map(said -> new FieldRules.Rename(said.type(), said.field(), said.value()))
            .toList(),
        removals.stream()
            .map(text -> field(text, "", "--remove " + text, "TYPE.FIELD", types))
            .map(said -> new FieldRules.Remove(said.type(), said.field()))
            .toList(),
        sets.stream()
            .map(text -> assigned(text, "--set", "TYPE.FIELD=JSON", types))
            .map(said -> new FieldRules.Assign(said.type(), said.field(), json(said)))
            .toList());
  }

  private Said assigned(String text, String option, String form, Collection<TypeId> types) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw wrong(option + " " + text, form);
    }
    return field(
        text.substring(0, equals), text.substring(equals + 1), option + " " + text, form, types);
  }

  /** Names of types may have dots in them, names of fields don't. */
  private Said field(
      String place, String value, String said, String form, Collection<TypeId> types) {
    int dot = place.lastIndexOf('.');
    if (dot < 1) {
      throw wrong(said, form);
    }
    return new Said(
        TypeName.resolve(place.substring(0, dot), types), place.substring(dot + 1), value);
  }

  private JsonNode json(Said said) {
    try {
      return CanonicalJson.parse(said.value());
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "'"
              + said.value()
              + "' is no JSON for "
              + said.field()
              + "; text goes in double quotes, and those in single ones: '\"text\"'");
    }
  }

  private ParameterException wrong(String said, String form) {
    return new ParameterException(
        spec.commandLine(), "'" + said + "' isn't understood; say " + form);
  }
}
