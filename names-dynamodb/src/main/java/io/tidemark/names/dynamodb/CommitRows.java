// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Rows that other programs keep for each commit under a record's key. Nothing here reads them; they
 * are swept when the record is removed, as far as that is soon done. They have a time to live, so
 * what is left goes by itself.
 */
final class CommitRows {

  private static final Logger LOG = LoggerFactory.getLogger(CommitRows.class);

  private static final int BATCH = 25;
  private static final int MOST_BATCHES = 40;

  private final RequestSender requestSender;

  CommitRows(RequestSender requestSender) {
    this.requestSender = requestSender;
  }

  /** Deletes rows; whatever goes wrong is only logged, since the record is gone already. */
  void sweep(String pk) {
    try {
      for (int batch = 0; batch < MOST_BATCHES; batch++) {
        List<Map<String, AttributeValue>> rows = nextBatch(pk);
        if (rows.isEmpty()) {
          return;
        }
        List<WriteRequest> deletes =
            rows.stream()
                .map(key -> WriteRequest.builder().deleteRequest(d -> d.key(key)).build())
                .toList();
        // What the server leaves undone, the next round finds again.
        requestSender.read(
            "sweep the commits of " + pk,
            c -> c.batchWriteItem(w -> w.requestItems(Map.of(requestSender.table(), deletes))));
      }
      LOG.info("{} is removed, some rows of its commits are left to expire", pk);
    } catch (TidemarkException e) {
      LOG.warn("{} is removed, but rows of its commits may be left to expire", pk, e);
    }
  }

  private List<Map<String, AttributeValue>> nextBatch(String pk) {
    ExpressionBuilder x = new ExpressionBuilder();
    String which =
        x.name(AttributeNames.PK)
            + " = "
            + x.text(pk)
            + " AND begins_with("
            + x.name(AttributeNames.SK)
            + ", "
            + x.text(AttributeNames.COMMIT_ROWS)
            + ")";
    QueryRequest request =
        QueryRequest.builder()
            .tableName(requestSender.table())
            .consistentRead(true)
            .limit(BATCH)
            .keyConditionExpression(which)
            .projectionExpression(x.name(AttributeNames.PK) + ", " + x.name(AttributeNames.SK))
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values())
            .build();
    return requestSender.read("read the commits of " + pk, c -> c.query(request)).items();
  }
}
