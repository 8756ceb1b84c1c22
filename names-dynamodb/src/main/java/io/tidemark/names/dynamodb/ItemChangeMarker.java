// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.ChangeMarker;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The marker as an item of the table, under a key that no record can have. It isn't in the index of
 * kinds, so no listing meets it.
 */
final class ItemChangeMarker implements ChangeMarker {

  static final String PK = "#changes";
  private static final String SK = "marker";
  private static final String TEXT = "changes";

  private final RequestSender requestSender;

  ItemChangeMarker(RequestSender requestSender) {
    this.requestSender = requestSender;
  }

  @Override
  public State read(Optional<String> known) {
    Map<String, AttributeValue> item = requestSender.item(PK, SK);
    AttributeValue version = item.get(AttributeNames.WRITE_ID);
    AttributeValue text = item.get(TEXT);
    if (version == null || version.s() == null || text == null || text.s() == null) {
      return Absent.BLANK;
    }
    return known.equals(Optional.of(version.s()))
        ? Unchanged.UNCHANGED
        : new Current(version.s(), text.s());
  }

  @Override
  public Optional<String> write(Optional<String> known, String text) {
    String version = UUID.randomUUID().toString();
    ExpressionBuilder x = new ExpressionBuilder();
    String set =
        "SET "
            + x.name(TEXT)
            + " = "
            + x.text(text)
            + ", "
            + x.name(AttributeNames.WRITE_ID)
            + " = "
            + x.text(version);
    String condition =
        known
            .map(k -> x.name(AttributeNames.WRITE_ID) + " = " + x.text(k))
            .orElseGet(() -> "attribute_not_exists(" + x.name(AttributeNames.WRITE_ID) + ")");
    UpdateItemRequest request =
        UpdateItemRequest.builder()
            .tableName(requestSender.table())
            .key(ItemCodec.key(PK, SK))
            .updateExpression(set)
            .conditionExpression(condition)
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values())
            .build();
    WriteOutcome writeOutcome = requestSender.update("write the marker of changes", request);
    if (writeOutcome instanceof WriteOutcome.Unavailable unavailable) {
      throw unavailable.failure();
    }
    if (writeOutcome instanceof WriteOutcome.Unknown unknown) {
      throw unknown.failure();
    }
    return writeOutcome instanceof WriteOutcome.Written ? Optional.of(version) : Optional.empty();
  }
}
