// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/**
 * Summary of a type as of a commit; a number is 0 where there is no such commit or version.
 *
 * @param lastCommit the last commit that has rows of the type, since it was dropped
 * @param version the number of its schema version, the last one it had when it was dropped
 * @param schemaCommit the last commit that changed its schema, since it was dropped
 * @param floor the commit that dropped it last: rows up to there are gone for good, also when the
 *     type has come back since
 */
public record TypeSummary(long lastCommit, long version, long schemaCommit, long floor) {

  /** Summary of a type that no commit mentions. */
  public static final TypeSummary NONE = new TypeSummary(0, 0, 0, 0);

  public TypeSummary withLastCommit(long commit) {
    return new TypeSummary(commit, version, schemaCommit, floor);
  }

  public TypeSummary withVersion(long number) {
    return new TypeSummary(lastCommit, number, schemaCommit, floor);
  }

  public TypeSummary withSchemaCommit(long commit) {
    return new TypeSummary(lastCommit, version, commit, floor);
  }

  public TypeSummary withFloor(long commit) {
    return new TypeSummary(lastCommit, version, schemaCommit, commit);
  }

  private static final List<Member> MEMBERS =
      List.of(
          new Member("type_heads", TypeSummary::lastCommit, TypeSummary::withLastCommit),
          new Member("type_versions", TypeSummary::version, TypeSummary::withVersion),
          new Member("schema_commits", TypeSummary::schemaCommit, TypeSummary::withSchemaCommit),
          new Member("type_floors", TypeSummary::floor, TypeSummary::withFloor));

  /** Member of a manifest that has one number of each type. */
  private record Member(String name, ToLongFunction<TypeSummary> number, Change change) {

    /** Writes the numbers that there are: {@code {"entity":{"Customer":3},"relation":{}}}. */
    void write(ObjectNode json, SortedMap<TypeId, TypeSummary> types) {
      ObjectNode numbers = json.putObject(name);
      for (TypeKind typeKind : TypeKind.values()) {
        numbers.putObject(typeKind.singular());
      }
      types.forEach(
          (type, summary) -> {
            long value = number.applyAsLong(summary);
            if (value != 0) {
              ((ObjectNode) numbers.path(type.kind().singular())).put(type.name(), value);
            }
          });
    }

    void read(JsonNode numbers, ObjLongConsumer<TypeId> consumer) {
      for (TypeKind typeKind : TypeKind.values()) {
        numbers
            .path(typeKind.singular())
            .properties()
            .forEach(
                each ->
                    consumer.accept(new TypeId(typeKind, each.getKey()), each.getValue().asLong()));
      }
    }
  }

  @FunctionalInterface
  private interface Change {
    TypeSummary apply(TypeSummary summary, long number);
  }

  /** Writes the members of a manifest that summarise types. */
  static void write(ObjectNode manifest, SortedMap<TypeId, TypeSummary> types) {
    for (Member member : MEMBERS) {
      member.write(manifest, types);
    }
  }

  /** Reads the members of a manifest that summarise types; empty unless it has all of them. */
  static Optional<SortedMap<TypeId, TypeSummary>> read(ObjectNode manifest) {
    SortedMap<TypeId, TypeSummary> types = new TreeMap<>();
    boolean complete = true;
    for (Member member : MEMBERS) {
      JsonNode numbers = manifest.path(member.name);
      complete &= numbers.isObject();
      member.read(
          numbers,
          (type, number) ->
              types.put(
                  type, member.change.apply(types.getOrDefault(type, TypeSummary.NONE), number)));
    }
    return complete ? Optional.of(Collections.unmodifiableSortedMap(types)) : Optional.empty();
  }
}
