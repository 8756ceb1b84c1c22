// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Writer of types as stored schemas have them: in Python's words, since the first stores were
 * written by a Python program, which still finds its own schemas by their hashes.
 *
 * <p>An optional scalar is one primitive with the name {@code str | None}, any other optional type
 * a union. Hashes depend on this quirk of that program.
 */
final class StoredTypeWriter {

  private StoredTypeWriter() {}

  /** Returns the value of {@code type}: {@code <class 'str'>}, {@code list[str]}. */
  static String words(FieldType type) {
    if (type instanceof Scalar || type instanceof RecordOf) {
      return "<class '" + inner(type) + "'>";
    }
    return inner(type);
  }

  /** Returns the words of a type inside of another. */
  private static String inner(FieldType type) {
    if (type instanceof Scalar scalar) {
      return name(scalar);
    }
    if (type instanceof Nullable optional) {
      String words = inner(optional.type());
      return optional.type() instanceof Scalar
          ? words + " | None"
          : "typing.Optional[" + words + "]";
    }
    if (type instanceof ListOf list) {
      return "list[" + inner(list.item()) + "]";
    }
    if (type instanceof MapOf map) {
      return "dict[str, " + inner(map.value()) + "]";
    }
    return type instanceof RecordOf nested ? nested.name() : ((Foreign) type).type();
  }

  /** Returns the name of a scalar's class with that of its module. */
  static String name(Scalar scalar) {
    return switch (scalar) {
      case STRING -> "str";
      case LONG -> "int";
      case DOUBLE -> "float";
      case BOOLEAN -> "bool";
      case DECIMAL -> "decimal.Decimal";
      case INSTANT -> "datetime.datetime";
    };
  }

  /** Returns the name of a scalar's class alone. */
  static String simpleName(Scalar scalar) {
    String name = name(scalar);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the value of {@code type_spec}. */
  static JsonNode spec(FieldType type) {
    if (type instanceof Scalar scalar) {
      return primitive(simpleName(scalar));
    }
    if (type instanceof Nullable optional) {
      return optional.type() instanceof Scalar ? primitive(words(type)) : union(optional.type());
    }
    if (type instanceof ListOf list) {
      return kind("list").set("item", spec(list.item()));
    }
    if (type instanceof MapOf map) {
      ObjectNode spec = kind("dict").set("key", spec(Scalar.STRING));
      return spec.set("value", spec(map.value()));
    }
    return type instanceof RecordOf nested ? typedDict(nested) : ((Foreign) type).spec();
  }

  private static ObjectNode union(FieldType type) {
    ArrayNode members = CanonicalJson.object().arrayNode();
    Stream.of(spec(type), primitive("NoneType"))
        .sorted(Comparator.comparing(CanonicalJson::write, CanonicalJson.ORDER))
        .forEach(members::add);
    return kind("union").set("members", members);
  }

  private static ObjectNode typedDict(RecordOf nested) {
    ObjectNode fields = CanonicalJson.object();
    nested.fields().forEach((name, type) -> fields.set(name, spec(type)));
    return kind("typed_dict").put("name", nested.name()).put("total", true).set("fields", fields);
  }

  private static ObjectNode primitive(String name) {
    return kind("primitive").put("name", name);
  }

  private static ObjectNode kind(String kind) {
    return CanonicalJson.object().put("kind", kind);
  }
}
