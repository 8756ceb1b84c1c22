// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Path of a field in a feature, as the names on the way to it. A number also names an element of a
 * list, from 0, or from -1 backwards.
 *
 * @param path at least one name, from the feature itself on
 */
public record FeatureField(List<String> path) {

  static final String NAMESPACE = "@ns:com:here:xyz";

  /** All that the storage notes in the namespace of a state. */
  static final Set<String> NOTED =
      Set.of(
          "createdAt",
          "updatedAt",
          "rt_ts",
          "txn",
          "txn_next",
          "txn_uuid",
          "uuid",
          "puuid",
          "muuid",
          "action",
          "version",
          "author",
          "author_ts",
          "app_id",
          "tags",
          "crid",
          "qrid",
          "mrid",
          "extend",
          "stream_id");

  private static final int DEEPEST = 32;
  private static final int LONGEST = 1_000;

  public static final FeatureField ID = new FeatureField(List.of("id"));

  public FeatureField {
    path = List.copyOf(path);
    if (path.isEmpty() || path.size() > DEEPEST) {
      throw new InvalidRequestException(
          "a field of %d names; give 1 to %d".formatted(path.size(), DEEPEST));
    }
    for (String name : path) {
      if (name.isEmpty() || name.length() > LONGEST || name.indexOf('\0') >= 0) {
        throw new InvalidRequestException(
            "a name of %d characters in a field; give 1 to %d, without NUL"
                .formatted(name.length(), LONGEST));
      }
    }
  }

  /** Returns a property, or something in one. */
  public static FeatureField property(String... names) {
    List<String> path = new ArrayList<>(List.of("properties"));
    path.addAll(List.of(names));
    return new FeatureField(path);
  }

  /**
   * Returns a field of the metadata that the storage records for a state, such as {@code author}.
   */
  public static FeatureField metadata(String name) {
    if (!NOTED.contains(name)) {
      throw new InvalidRequestException(
          "the storage notes no '%s' of a state; one of %s"
              .formatted(name, NOTED.stream().sorted().toList()));
    }
    return property(NAMESPACE, name);
  }

  /**
   * Parses {@code p.x} (a property), {@code f.x} (metadata of the storage) or {@code f.id}. A name
   * with dots in it is given in double quotes: {@code p."a.b".c}.
   */
  public static FeatureField parse(String text) {
    return new FeatureFilterParser(text).onlyField();
  }

  /** Returns the name in the namespace; empty if the field isn't in it, or deeper. */
  String metadata() {
    return path.size() == 3 && path.get(0).equals("properties") && path.get(1).equals(NAMESPACE)
        ? path.get(2)
        : "";
  }
}
