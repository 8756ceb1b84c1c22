// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.server.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies are read into records, and are as the description says. */
final class TypedBodyTest {

  private static final String DESCRIPTION =
      """
      type: object
      required: [type, each]
      additionalProperties: false
      properties:
        type: {type: string, enum: [a, b]}
        each: {type: array, minItems: 1, maxItems: 2, items: {type: integer, minimum: 1, maximum: 9}}
        where: {type: [string, array], items: {type: string}}
        since: {type: integer, minimum: 0}
        deep: {type: boolean}
        share: {type: number, maximum: 1}
        head: {type: [object, 'null'], required: [id], properties: {id: {type: string}}}
        texts: {type: object, additionalProperties: {type: string}}
        any: {description: Of any type}
        nested:
          oneOf:
            - {type: object, required: [x], properties: {x: {type: integer}}}
            - {type: object, required: [y], properties: {y: {type: string}}}
      """;

  /** Components of all kinds. */
  record Sample(
      String type,
      List<Integer> each,
      List<String> where,
      OptionalLong since,
      boolean deep,
      Optional<Map<String, String>> head,
      Map<String, String> texts,
      @Nullable JsonNode any,
      @Nullable JsonNode nested) {}

  private static final JsonMapper JSON = HttpRequestContext.json(Limits.standard());

  private static BodySchema schema() throws Exception {
    return BodySchema.of(new YAMLMapper().readTree(DESCRIPTION));
  }

  private static Sample read(String json) throws Exception {
    JsonNode body = JSON.readTree(json);
    schema().requireValid(body);
    return JSON.treeToValue(body, Sample.class);
  }

  @Test
  void leavesOutWhatABodyLeavesOut() throws Exception {
    assertThat(read("{\"type\": \"a\", \"each\": [1]}"))
        .isEqualTo(
            new Sample(
                "a",
                List.of(1),
                List.of(),
                OptionalLong.empty(),
                false,
                Optional.empty(),
                Map.of(),
                null,
                null));
  }

  @Test
  void readsEveryKindOfMember() throws Exception {
    Sample sample =
        read(
            """
            {"type": "b", "each": [1, 9], "where": "one", "since": 7, "deep": true,
             "head": {"id": "h"}, "texts": {"k": "v"}, "any": {"n": 1.50}}
            """);
    assertThat(sample.where).containsExactly("one");
    assertThat(sample.since).hasValue(7);
    assertThat(sample.deep).isTrue();
    assertThat(sample.head).hasValue(Map.of("id", "h"));
    assertThat(sample.texts).containsExactly(Map.entry("k", "v"));
    assertThat(sample.any).hasToString("{\"n\":1.50}");
  }

  @Test
  void takesANullForAMissingMember() throws Exception {
    Sample sample =
        read(
            """
            {"type": "a", "each": [1], "where": null, "since": null, "deep": null, "head": null,
             "texts": null, "any": null, "nested": {"y": "z"}}
            """);
    assertThat(sample)
        .isEqualTo(
            new Sample(
                "a",
                List.of(1),
                List.of(),
                OptionalLong.empty(),
                false,
                Optional.empty(),
                Map.of(),
                JSON.getNodeFactory().nullNode(),
                JSON.createObjectNode().put("y", "z")));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'each': [1]}|the body needs \"type\", one of \"a\", \"b\"",
        "{'type': null, 'each': [1]}|the body needs \"type\", one of \"a\", \"b\"",
        "{'type': 'a'}|the body needs \"each\", an array from 1 to 2 items",
        "{'type': 'c', 'each': [1]}|\"type\" must be one of \"a\", \"b\", got \"c\"",
        "{'type': 'a', 'each': []}|\"each\" must be an array from 1 to 2 items, got []",
        "{'type': 'a', 'each': 1}|\"each\" must be an array from 1 to 2 items, got 1",
        "{'type': 'a', 'each': [0]}|an item of \"each\" must be an integer from 1 to 9, got 0",
        "{'type': 'a', 'each': [1.5]}|an item of \"each\" must be an integer from 1 to 9, got 1.5",
        "{'type': 'a', 'each': [1], 'since': -1}|\"since\" must be an integer of at least 0, got -1",
        "{'type': 'a', 'each': [1], 'since': 9223372036854775808}|\"since\" must be an integer of at"
            + " least 0, got 9223372036854775808",
        "{'type': 'a', 'each': [1], 'deep': 'yes'}|\"deep\" must be a boolean, got \"yes\"",
        "{'type': 'a', 'each': [1], 'share': 1.1}|\"share\" must be a number of at most 1, got 1.1",
        "{'type': 'a', 'each': [1], 'where': 5}|\"where\" must be a string or an array, got 5",
        "{'type': 'a', 'each': [1], 'where': [5]}|an item of \"where\" must be a string, got 5",
        "{'type': 'a', 'each': [1], 'head': {}}|\"head\" needs \"id\", a string",
        "{'type': 'a', 'each': [1], 'head': {'id': 'x', 't': 1}}|\"head\" has no member \"t\"; there"
            + " are id",
        "{'type': 'a', 'each': [1], 'texts': {'k': 1}}|\"k\" must be a string, got 1",
        "{'type': 'a', 'each': [1], 'nested': {'y': 1}}|\"y\" must be a string, got 1",
        "{'types': 'a'}|the body has no member \"types\"; there are any, deep, each, head, nested,"
            + " share, since, texts, type, where"
      })
  void refusesWhatTheDescriptionDoesNotAllow(String json, String detail) {
    assertThatThrownBy(() -> read(json.replace('\'', '"')))
        .isInstanceOf(ProblemException.class)
        .hasMessage(detail);
  }

  @Test
  void refusesUndescribedMembersAloneOfABodyThatIsReadAsATree() throws Exception {
    BodySchema schema = schema();
    schema.requireKnownMembers(JSON.readTree("{\"type\": 1, \"each\": {}}"));
    JsonNode unknown = JSON.readTree("{\"nested\": {\"y\": \"\", \"z\": 1}}");
    assertThatThrownBy(() -> schema.requireKnownMembers(unknown))
        .hasMessage("\"nested\" has no member \"z\"; there are y");
  }

  @Test
  void admitsASchemaThatContainsItself() throws Exception {
    ObjectNode schema = (ObjectNode) new YAMLMapper().readTree("{type: object, properties: {}}");
    schema.withObject("/properties").set("next", schema);
    BodySchema.of(schema).requireValid(JSON.readTree("{\"next\": {\"next\": {}}}"));
    JsonNode wrong = JSON.readTree("{\"next\": {\"next\": {\"nxt\": 1}}}");
    assertThatThrownBy(() -> BodySchema.of(schema).requireValid(wrong))
        .hasMessage("\"next\" has no member \"nxt\"; there are next");
  }
}
