// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Map;

/**
 * Type of a graph source, as an IRI or a short form of one. Known types have one spelling here,
 * even if they were read in an older one; unknown types are kept as they are.
 *
 * @param value such as {@code f:Bm25Index}
 */
public record SourceType(String value) {

  private static final String NAMESPACE = "https://ns.flur.ee/db#";

  /**
   * Older spellings, without their prefix and in the case they were written. Before the constants,
   * which are spelled by it.
   */
  private static final Map<String, String> SYNONYMS =
      Map.ofEntries(
          Map.entry("f:IcebergMapping", "f:IcebergSource"),
          Map.entry("f:R2rmlMapping", "f:R2rmlSource"),
          Map.entry("fidx:BM25", "f:Bm25Index"),
          Map.entry("fidx:Vector", "f:HnswIndex"),
          Map.entry("fidx:R2RML", "f:R2rmlSource"),
          Map.entry("fidx:Iceberg", "f:IcebergSource"),
          Map.entry("vg:bm25", "f:Bm25Index"),
          Map.entry("vg:vector", "f:HnswIndex"),
          Map.entry("vg:hnsw", "f:HnswIndex"),
          Map.entry("vg:geo", "f:GeoIndex"),
          Map.entry("vg:iceberg", "f:IcebergSource"),
          Map.entry("vg:r2rml", "f:R2rmlSource"),
          Map.entry("vg:jdbc", "f:JdbcSource"));

  public static final SourceType BM25 = new SourceType("f:Bm25Index");
  public static final SourceType HNSW = new SourceType("f:HnswIndex");
  public static final SourceType GEO = new SourceType("f:GeoIndex");
  public static final SourceType ICEBERG = new SourceType("f:IcebergSource");
  public static final SourceType R2RML = new SourceType("f:R2rmlSource");
  public static final SourceType JDBC = new SourceType("f:JdbcSource");

  public SourceType {
    if (value.isBlank()) {
      throw new InvalidPayloadException(
          "a graph source needs a type, like f:Bm25Index; it is empty");
    }
    value = canonical(value);
  }

  private static String canonical(String spelled) {
    String shortened = spelled;
    if (spelled.startsWith(NAMESPACE)) {
      shortened = "f:" + spelled.substring(NAMESPACE.length());
    } else if (spelled.startsWith("db:")) {
      shortened = "f:" + spelled.substring("db:".length());
    }
    return SYNONYMS.getOrDefault(shortened, shortened);
  }

  @Override
  public String toString() {
    return value;
  }
}
