// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.stream.IntStream;

/** Any number of entities that differ only by their names, and rows of them. */
final class ManyTypes {

  private ManyTypes() {}

  static List<TypeSchema> of(int count) {
    return IntStream.range(0, count).mapToObj(ManyTypes::schema).toList();
  }

  private static TypeSchema schema(int number) {
    return DeclaredSchema.parse(
            """
            {"entity": "%s", "key": "id", "fields": {"id": "string", "n": "long"}}
            """
                .formatted(type(number).name()))
        .get(0);
  }

  static TypeId type(int number) {
    return TypeId.entity("Type" + number);
  }

  /** Queues so many rows, spread over the first types. */
  static Session ensure(Session session, int rows, int touched, long value) {
    for (int i = 0; i < Math.max(rows, touched); i++) {
      ObjectNode fields = CanonicalJson.object().put("id", "row" + i).put("n", value);
      session.ensure(type(i % touched), fields);
    }
    return session;
  }
}
