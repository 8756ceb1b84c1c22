// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shape of a record: its components in order, with their names. */
final class RecordShape {

  /**
   * Component of a record.
   *
   * @param name name of its field
   */
  record Component(
      RecordComponent component, String name, Conversion conversion, MethodHandle getter) {

    boolean is(Class<? extends Annotation> mark) {
      return component.isAnnotationPresent(mark);
    }

    /** Returns its value in a record, as JSON. */
    JsonNode of(Record value) {
      return conversion.write(value(value));
    }

    /** Returns its value in a record. */
    @Nullable Object value(Record value) {
      try {
        return (Object) getter.invokeExact((Object) value);
      } catch (Throwable e) {
        throw unchecked(e);
      }
    }
  }

  private final Class<? extends Record> type;
  private final List<Component> slots;
  private final MethodHandle constructor;

  private RecordShape(
      Class<? extends Record> type, List<Component> slots, MethodHandle constructor) {
    this.type = type;
    this.slots = slots;
    this.constructor = constructor;
  }

  /**
   * Returns the shape of a record.
   *
   * @param around the records that contain it
   */
  static RecordShape of(Class<? extends Record> type, List<Class<?>> around) {
    List<Class<?>> inside = new ArrayList<>(around);
    inside.add(type);
    List<Component> slots = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String place = type.getSimpleName() + "." + component.getName();
      Conversion conversion = new JavaTypeMapping(place, inside).of(component.getAnnotatedType());
      Named named = component.getAnnotation(Named.class);
      String name = named == null ? component.getName() : named.value();
      if (slots.stream().anyMatch(other -> other.name().equals(name))) {
        throw new InvalidSchemaException(
            place + " is the second field named " + name + "; give it another name by @Named");
      }
      slots.add(new Component(component, name, conversion, getter(component)));
    }
    return new RecordShape(type, List.copyOf(slots), constructor(type));
  }

  List<Component> slots() {
    return slots;
  }

  /** Returns the type of a field that holds such a record. */
  RecordOf type() {
    SortedMap<String, FieldType> fields = new TreeMap<>();
    slots.forEach(slot -> fields.put(slot.name(), slot.conversion().type()));
    return new RecordOf(type.getSimpleName(), fields);
  }

  ObjectNode write(Record value) {
    ObjectNode json = CanonicalJson.object();
    slots.forEach(slot -> json.set(slot.name(), slot.of(value)));
    return json;
  }

  Record read(JsonNode json) {
    return read(slot -> json.path(slot.name()));
  }

  /** Creates a record from the value of each component. */
  Record read(Function<Component, JsonNode> values) {
    @Nullable Object[] arguments = new @Nullable Object[slots.size()];
    for (int i = 0; i < arguments.length; i++) {
      Component slot = slots.get(i);
      Object value = slot.conversion().read(values.apply(slot));
      if (value == null && slot.component().getType().isPrimitive()) {
        throw new IllegalArgumentException("there is no " + slot.name());
      }
      arguments[i] = value;
    }
    try {
      return (Record) (Object) constructor.invokeExact(arguments);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static MethodHandle getter(RecordComponent component) {
    Method accessor = component.getAccessor();
    try {
      accessor.setAccessible(true);
      return MethodHandles.lookup()
          .unreflect(accessor)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException | RuntimeException e) {
      throw closed(component.getDeclaringRecord(), e);
    }
  }

  private static MethodHandle constructor(Class<? extends Record> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(parameters);
      canonical.setAccessible(true);
      return MethodHandles.lookup()
          .unreflectConstructor(canonical)
          .asSpreader(Object[].class, parameters.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw closed(type, e);
    }
  }

  private static InvalidSchemaException closed(Class<?> type, Exception cause) {
    return new InvalidSchemaException(
        type.getName()
            + " can't be looked into ("
            + cause.getMessage()
            + "); open its package to Tidemark");
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }
}
