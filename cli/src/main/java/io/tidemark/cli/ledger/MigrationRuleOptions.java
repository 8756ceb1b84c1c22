// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options for the changes of fields by a migration. */
final class MigrationRuleOptions {

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

  /** Adds the rules to a request. The first rename of a field counts, and the last value. */
  MigrationRequest rules(MigrationRequest request) {
    Map<String, String> renamed = new LinkedHashMap<>();
    for (String text : renames) {
      int equals = equals(text, "--rename", "TYPE.OLD=NEW");
      renamed.putIfAbsent(text.substring(0, equals), text.substring(equals + 1));
    }
    removals.forEach(field -> requireField(field, "--remove " + field, "TYPE.FIELD"));
    Map<String, JsonNode> values = new LinkedHashMap<>();
    for (String text : sets) {
      int equals = equals(text, "--set", "TYPE.FIELD=JSON");
      values.put(text.substring(0, equals), json(text.substring(equals + 1), text));
    }
    return request.withRename(renamed).withRemove(removals).withSet(values);
  }

  private int equals(String text, String option, String form) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw wrong(option + " " + text, form);
    }
    requireField(text.substring(0, equals), option + " " + text, form);
    return equals;
  }

  private void requireField(String field, String said, String form) {
    if (field.lastIndexOf('.') < 1) {
      throw wrong(said, form);
    }
  }

  private JsonNode json(String value, String said) {
    try {
      return CanonicalJson.parse(value);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "'"
              + value
              + "' is no JSON for "
              + said.substring(said.lastIndexOf('.', said.indexOf('=')) + 1, said.indexOf('='))
              + "; text goes in double quotes, and those in single ones: '\"text\"'");
    }
  }

  private ParameterException wrong(String said, String form) {
    return new ParameterException(
        spec.commandLine(), "'" + said + "' isn't understood; say " + form);
  }
}
