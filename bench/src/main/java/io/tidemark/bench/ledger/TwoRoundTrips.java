// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Expect;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.WriteResult.Written;
import java.util.List;

/**
 * What no commit can do without: a file with the rows, and only then a head that is replaced on
 * condition. No lock, no manifest, no difference to be found.
 */
final class TwoRoundTrips {

  private static final String HEAD = "floor/head.json";

  private final ObjectStore store;
  private Body file = Body.of("");
  private ETag head;
  private long writes;

  TwoRoundTrips(ObjectStore store) {
    this.store = store;
    this.head = moved(Condition.ifAbsent());
  }

  /** Makes the file. */
  void encode(List<Customer> rows) {
    try (RowWriter writer = RowWriter.toMemory(RecordType.of(Customer.class).schema())) {
      for (Customer row : rows) {
        Fact fact = RecordType.factOf(row);
        writer.add(new Row(1, fact.identity(), 1, fact.fieldsJson()));
      }
      file = writer.finish().body();
    }
  }

  /** Writes the file, as deep in directories as a ledger's are, and moves the head. */
  void write() {
    String key = "floor/commits/" + ++writes + "/entities/Customer.parquet";
    Expect.equal(1, store.put(key, file, Condition.ifAbsent()).written() ? 1 : 0);
    head = moved(Condition.ifMatch(head));
  }

  private ETag moved(Condition condition) {
    String text = "{\"commit\": %300d}".formatted(writes); // a head is about as long
    return ((Written) store.put(HEAD, Body.of(text), condition)).etag();
  }
}
