// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reader of the type syntax of {@link StoredTypeWriter}, and of the other syntaxes that occur in
 * stores. A type with any unknown part is {@link Foreign} as a whole.
 */
final class StoredTypeReader {

  private static final String OR_NONE = " | None";

  private StoredTypeReader() {}

  /**
   * Reads the type of a field.
   *
   * @param spec null or missing in old schemas without a {@code type_spec}; then the words are read
   */
  static FieldType read(String words, JsonNode spec) {
    boolean old = spec.isMissingNode() || spec.isNull();
    return (old ? ofWords(words) : ofSpec(spec))
        .orElseGet(() -> new Foreign(words, old ? NullNode.getInstance() : spec));
  }

  private static Optional<FieldType> ofSpec(JsonNode spec) {
    return switch (spec.path("kind").asText()) {
      case "primitive" -> ofPrimitive(spec.path("name").asText());
      case "list" -> ofSpec(spec.path("item")).map(ListOf::new);
      case "dict" ->
          ofSpec(spec.path("key")).equals(Optional.of(Scalar.STRING))
              ? ofSpec(spec.path("value")).map(MapOf::new)
              : Optional.empty();
      case "typed_dict" -> ofTypedDict(spec);
      case "union" -> ofUnion(spec.path("members"));
      default -> Optional.empty();
    };
  }

  private static Optional<FieldType> ofPrimitive(String name) {
    for (Scalar scalar : Scalar.values()) {
      if (name.equals(StoredTypeWriter.simpleName(scalar))) {
        return Optional.of(scalar);
      }
    }
    if (name.equals(anyName())) {
      return Optional.of(Foreign.any());
    }
    return name.endsWith(OR_NONE) ? ofWords(name) : Optional.empty();
  }

  private static String anyName() {
    return Foreign.any().spec().path("name").asText();
  }

  private static Optional<FieldType> ofTypedDict(JsonNode spec) {
    if (!spec.path("total").asBoolean() || !spec.path("fields").isObject()) {
      return Optional.empty();
    }
    SortedMap<String, FieldType> fields = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : spec.path("fields").properties()) {
      Optional<FieldType> type = ofSpec(field.getValue());
      if (type.isEmpty()) {
        return Optional.empty();
      }
      fields.put(field.getKey(), type.get());
    }
    return Optional.of(new RecordOf(spec.path("name").asText(), fields));
  }

  /** Reads a union, which is understood when it is of one type and none. */
  private static Optional<FieldType> ofUnion(JsonNode members) {
    if (members.size() != 2) {
      return Optional.empty();
    }
    boolean noneFirst = isNone(members.path(0));
    if (noneFirst == isNone(members.path(1))) {
      return Optional.empty();
    }
    return ofSpec(members.path(noneFirst ? 1 : 0)).flatMap(StoredTypeReader::optional);
  }

  private static boolean isNone(JsonNode spec) {
    return spec.path("name").asText().equals("NoneType");
  }

  private static Optional<FieldType> optional(FieldType type) {
    return type instanceof Nullable ? Optional.empty() : Optional.of(new Nullable(type));
  }

  private static Optional<FieldType> ofWords(String words) {
    if (words.endsWith(OR_NONE)) {
      return ofWords(before(words, OR_NONE)).flatMap(StoredTypeReader::optional);
    }
    for (Scalar scalar : Scalar.values()) {
      if (words.equals(StoredTypeWriter.name(scalar))
          || words.equals(StoredTypeWriter.words(scalar))) {
        return Optional.of(scalar);
      }
    }
    if (words.equals(Foreign.any().type())) {
      return Optional.of(Foreign.any());
    }
    return words.endsWith("]") ? ofBrackets(words) : Optional.empty();
  }

  private static Optional<FieldType> ofBrackets(String words) {
    int open = words.indexOf('[');
    if (open < 0) {
      return Optional.empty();
    }
    String inner = words.substring(open + 1, words.length() - 1);
    return switch (words.substring(0, open)) {
      case "list", "typing.List" -> ofWords(inner).map(ListOf::new);
      case "dict", "typing.Dict" ->
          inner.startsWith("str, ")
              ? ofWords(inner.substring("str, ".length())).map(MapOf::new)
              : Optional.empty();
      case "typing.Optional" -> ofWords(inner).flatMap(StoredTypeReader::optional);
      default -> Optional.empty();
    };
  }

  private static String before(String words, String end) {
    return words.substring(0, words.length() - end.length());
  }
}
