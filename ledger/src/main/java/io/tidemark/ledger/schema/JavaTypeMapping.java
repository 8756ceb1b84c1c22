// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mapping of the Java types that components of records may have. */
final class JavaTypeMapping {

  private static final String ALLOWED =
      "String, long, int, short, byte, double, float, boolean (or their boxes), BigDecimal, Instant,"
          + " an enum, a record, JsonNode, and List, Map<String, ..> and Optional of these";

  private static final Map<Class<?>, Conversion> SIMPLE =
      Map.ofEntries(
          Map.entry(
              String.class,
              Conversion.of(Scalar.STRING, v -> TextNode.valueOf((String) v), JsonNode::asText)),
          Map.entry(Long.class, whole(JsonNode::longValue)),
          Map.entry(Integer.class, whole(json -> Math.toIntExact(json.longValue()))),
          Map.entry(Short.class, whole(JavaTypeMapping::toShort)),
          Map.entry(Byte.class, whole(JavaTypeMapping::toByte)),
          Map.entry(
              Double.class,
              Conversion.of(
                  Scalar.DOUBLE, v -> DoubleNode.valueOf((Double) v), JsonNode::doubleValue)),
          Map.entry(
              Float.class,
              // By its digits: 0.1f is meant as 0.1 and not as the double next to it.
              Conversion.of(
                  Scalar.DOUBLE,
                  v -> DoubleNode.valueOf(Double.parseDouble(v.toString())),
                  JsonNode::floatValue)),
          Map.entry(
              Boolean.class,
              Conversion.of(
                  Scalar.BOOLEAN, v -> BooleanNode.valueOf((Boolean) v), JsonNode::booleanValue)),
          Map.entry(
              BigDecimal.class,
              Conversion.of(
                  Scalar.DECIMAL,
                  v -> DecimalNode.valueOf((BigDecimal) v),
                  JsonNode::decimalValue)),
          Map.entry(
              Instant.class,
              Conversion.of(
                  Scalar.INSTANT, v -> TextNode.valueOf(v.toString()), JavaTypeMapping::instant)),
          Map.entry(JsonNode.class, Conversion.of(Foreign.any(), v -> (JsonNode) v, json -> json)));

  private static final List<Class<? extends Annotation>> MARKS =
      List.of(Key.class, Left.class, Right.class, InstanceKey.class, Indexed.class);

  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(
          long.class, Long.class,
          int.class, Integer.class,
          short.class, Short.class,
          byte.class, Byte.class,
          double.class, Double.class,
          float.class, Float.class,
          boolean.class, Boolean.class);

  private final String place;
  private final List<Class<?>> around;

  /**
   * Creates the mapping for the types in one component.
   *
   * @param place name of the component, for messages
   * @param around the records that contain the component
   */
  JavaTypeMapping(String place, List<Class<?>> around) {
    this.place = place;
    this.around = around;
  }

  Conversion of(AnnotatedType type) {
    Conversion plain = notNull(type);
    if (!type.isAnnotationPresent(Nullable.class)) {
      return plain;
    }
    if (plain.type() instanceof FieldType.Nullable) {
      throw new InvalidSchemaException(place + " is optional twice; say it once");
    }
    return plain.optional();
  }

  private Conversion notNull(AnnotatedType type) {
    if (type instanceof AnnotatedParameterizedType generic) {
      return generic(generic);
    }
    if (!(type.getType() instanceof Class<?> raw)) {
      throw unknown(type);
    }
    Conversion simple = SIMPLE.get(BOXES.getOrDefault(raw, raw));
    if (simple != null) {
      return simple;
    }
    if (raw.isEnum()) {
      return enumeration(raw);
    }
    if (raw.isRecord()) {
      return nested(raw.asSubclass(Record.class));
    }
    throw unknown(type);
  }

  private Conversion generic(AnnotatedParameterizedType type) {
    AnnotatedType[] of = type.getAnnotatedActualTypeArguments();
    Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
    if (raw == List.class) {
      return list(of(of[0]));
    }
    if (raw == Map.class && of[0].getType() == String.class) {
      return map(of(of[1]));
    }
    if (raw == Optional.class) {
      Conversion inner = of(of[0]);
      if (inner.type() instanceof FieldType.Nullable) {
        throw new InvalidSchemaException(place + " is optional twice; say it once");
      }
      return new Conversion(
          new FieldType.Nullable(inner.type()),
          v -> inner.write(((Optional<?>) v).orElse(null)),
          json -> Optional.ofNullable(inner.read(json)),
          Optional.empty());
    }
    throw unknown(type);
  }

  private static Conversion list(Conversion item) {
    return Conversion.of(
        new ListOf(item.type()),
        v -> {
          ArrayNode array = CanonicalJson.object().arrayNode();
          ((List<?>) v).forEach(one -> array.add(item.write(one)));
          return array;
        },
        json -> {
          List<@Nullable Object> list = new ArrayList<>(json.size());
          json.forEach(one -> list.add(item.read(one)));
          return Collections.unmodifiableList(list);
        });
  }

  private Conversion map(Conversion value) {
    return Conversion.of(
        new MapOf(value.type()),
        v -> {
          ObjectNode object = CanonicalJson.object();
          ((Map<?, ?>) v).forEach((key, one) -> object.set(key(key), value.write(one)));
          return object;
        },
        json -> {
          Map<String, @Nullable Object> map = new LinkedHashMap<>();
          json.properties().forEach(e -> map.put(e.getKey(), value.read(e.getValue())));
          return Collections.unmodifiableMap(map);
        });
  }

  private String key(@Nullable Object key) {
    if (key == null) {
      throw new InvalidValueException(place + " has null as a key; give text");
    }
    return (String) key;
  }

  private static Conversion enumeration(Class<?> type) {
    return Conversion.of(
        Scalar.STRING,
        v -> TextNode.valueOf(((Enum<?>) v).name()),
        json -> {
          for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(json.textValue())) {
              return constant;
            }
          }
          throw new IllegalArgumentException(
              ValuePreview.preview(json.toString()) + " is no " + type.getSimpleName());
        });
  }

  private Conversion nested(Class<? extends Record> type) {
    if (around.contains(type)) {
      throw new InvalidSchemaException(
          place
              + " is of "
              + type.getSimpleName()
              + ", which it is a part of; a type can't contain itself, so hold a key there");
    }
    RecordShape shape = RecordShape.of(type, around);
    for (Class<? extends Annotation> mark : MARKS) {
      if (shape.slots().stream().anyMatch(component -> component.is(mark))) {
        throw new InvalidSchemaException(
            place
                + " is of "
                + type.getSimpleName()
                + ", which has @"
                + mark.getSimpleName()
                + "; only components of the type itself can be marked");
      }
    }
    return Conversion.of(shape.type(), v -> shape.write((Record) v), shape::read);
  }

  private InvalidSchemaException unknown(AnnotatedType type) {
    return new InvalidSchemaException(
        place + " is of " + type.getType().getTypeName() + "; allowed are " + ALLOWED);
  }

  private static Conversion whole(Function<JsonNode, Object> reader) {
    return Conversion.of(Scalar.LONG, v -> LongNode.valueOf(((Number) v).longValue()), reader);
  }

  private static Object toShort(JsonNode json) {
    long value = json.longValue();
    if (value != (short) value) {
      throw new ArithmeticException(value + " is no short");
    }
    return (short) value;
  }

  private static Object toByte(JsonNode json) {
    long value = json.longValue();
    if (value != (byte) value) {
      throw new ArithmeticException(value + " is no byte");
    }
    return (byte) value;
  }

  private static Object instant(JsonNode json) {
    return UtcTimestamp.parse(json.asText())
        .orElseThrow(() -> new IllegalArgumentException(json + " is no instant"));
  }
}
