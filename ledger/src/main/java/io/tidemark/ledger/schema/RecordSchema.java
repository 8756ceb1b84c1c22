// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.RecordShape.Component;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rules by which a record with its annotations declares a type. */
final class RecordSchema {

  private final Class<? extends Record> type;
  private final List<Component> slots;

  private RecordSchema(Class<? extends Record> type, List<Component> slots) {
    this.type = type;
    this.slots = slots;
  }

  static TypeSchema of(Class<? extends Record> type, List<Component> slots) {
    Entity entity = type.getAnnotation(Entity.class);
    Relation relation = type.getAnnotation(Relation.class);
    if (entity != null && relation == null) {
      return new RecordSchema(type, slots).entity(TypeId.entity(name(type, entity.name())));
    }
    if (relation != null && entity == null) {
      TypeId id = TypeId.relation(name(type, relation.name()));
      return new RecordSchema(type, slots).relation(id, relation);
    }
    throw new InvalidSchemaException(
        type.getName()
            + (entity == null ? " declares no type" : " declares an entity and a relation")
            + "; annotate it as @Entity or as @Relation");
  }

  private static String name(Class<?> type, String given) {
    return given.isEmpty() ? type.getSimpleName() : given;
  }

  private TypeSchema entity(TypeId id) {
    refuse(id, Left.class, "only relations have ends; make it a @Relation or leave the mark out");
    refuse(id, Right.class, "only relations have ends; make it a @Relation or leave the mark out");
    refuse(id, InstanceKey.class, "an entity has no instance key; mark its one @Key");
    Component key =
        the(id, Key.class)
            .orElseThrow(
                () -> missing(id, "no @Key", "mark the component that tells its rows apart"));
    return new TypeSchema(id, fields(), new KeyField(key.name()));
  }

  private TypeSchema relation(TypeId id, Relation relation) {
    refuse(id, Key.class, "a relation is told apart by its ends; mark an @InstanceKey if needed");
    requireEnd(id, Left.class);
    requireEnd(id, Right.class);
    Optional<String> instanceKey = the(id, InstanceKey.class).map(Component::name);
    String left = end(id, "left", relation.left(), relation.leftName());
    String right = end(id, "right", relation.right(), relation.rightName());
    return new TypeSchema(id, fields(), new Endpoints(left, right, instanceKey));
  }

  private SortedMap<String, Field> fields() {
    SortedMap<String, Field> fields = new TreeMap<>();
    for (Component component : slots) {
      if (!component.is(Left.class) && !component.is(Right.class)) {
        fields.put(
            component.name(),
            new Field(component.conversion().type(), component.is(Indexed.class)));
      }
    }
    return fields;
  }

  /** Returns the one component with this annotation, if there is one. */
  private Optional<Component> the(TypeId id, Class<? extends Annotation> mark) {
    List<Component> marked = slots.stream().filter(component -> component.is(mark)).toList();
    if (marked.size() > 1) {
      throw new InvalidSchemaException(
          id
              + " ("
              + type.getName()
              + ") has several components with @"
              + mark.getSimpleName()
              + ": "
              + String.join(", ", marked.stream().map(Component::name).toList())
              + "; mark one, since keys of several parts aren't supported");
    }
    return marked.stream().findFirst();
  }

  private void refuse(TypeId id, Class<? extends Annotation> mark, String remedy) {
    the(id, mark)
        .ifPresent(
            component -> {
              throw new InvalidSchemaException(
                  id
                      + " ("
                      + type.getName()
                      + ") has @"
                      + mark.getSimpleName()
                      + " on "
                      + component.name()
                      + "; "
                      + remedy);
            });
  }

  private void requireEnd(TypeId id, Class<? extends Annotation> mark) {
    String name = "@" + mark.getSimpleName();
    Component component =
        the(id, mark)
            .orElseThrow(
                () -> missing(id, "no " + name, "mark the component that holds that end's key"));
    FieldType held = component.conversion().type();
    if (held != Scalar.STRING && held != Scalar.LONG) {
      throw new InvalidSchemaException(
          id
              + " has "
              + name
              + " "
              + component.name()
              + " of type "
              + TypeFormatter.format(held)
              + "; the key of an end is a string or a long and not optional");
    }
  }

  private InvalidSchemaException missing(TypeId id, String what, String remedy) {
    return new InvalidSchemaException(
        id
            + " ("
            + type.getName()
            + ") has "
            + what
            + "; "
            + remedy
            + " among its "
            + slots.size());
  }

  private static String end(TypeId id, String side, Class<? extends Record> type, String name) {
    boolean byType = type != Record.class;
    if (byType == !name.isEmpty()) {
      throw new InvalidSchemaException(
          id
              + (byType ? " names its " + side + " end twice" : " doesn't say its " + side + " end")
              + "; give @Relation("
              + side
              + " = ..) or ("
              + side
              + "Name = \"..\")");
    }
    if (!byType) {
      return name;
    }
    Entity entity = type.getAnnotation(Entity.class);
    if (entity == null) {
      throw new InvalidSchemaException(
          id + " has " + type.getName() + " at its " + side + " end, which is no @Entity");
    }
    return name(type, entity.name());
  }
}
