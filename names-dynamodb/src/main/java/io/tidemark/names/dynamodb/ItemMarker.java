// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Marker;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The marker as an item of the table, under a key that no record can have. It isn't in the index of
 * kinds, so no listing meets it.
 */
final class ItemMarker implements Marker {

  static final String PK = "#changes";
  private static final String SK = "marker";
  private static final String TEXT = "changes";

  private final Requests requests;

  ItemMarker(Requests requests) {
    this.requests = requests;
  }

  @Override
  public Reading read(Optional<String> known) {
    Map<String, AttributeValue> item = requests.item(PK, SK);
    AttributeValue version = item.get(Attributes.WRITE_ID);
    AttributeValue text = item.get(TEXT);
    if (version == null || version.s() == null || text == null || text.s() == null) {
      return Blank.BLANK;
    }
    return known.equals(Optional.of(version.s()))
        ? Unchanged.UNCHANGED
        : new Says(version.s(), text.s());
  }

  @Override
  public Optional<String> write(Optional<String> known, String text) {
    String version = UUID.randomUUID().toString();
    Expression x = new Expression();
    String set =
        "SET "
            + x.name(TEXT)
            + " = "
            + x.text(text)
            + ", "
            + x.name(Attributes.WRITE_ID)
            + " = "
            + x.text(version);
    String condition =
        known
            .map(k -> x.name(Attributes.WRITE_ID) + " = " + x.text(k))
            .orElseGet(() -> "attribute_not_exists(" + x.name(Attributes.WRITE_ID) + ")");
    UpdateItemRequest request =
        UpdateItemRequest.builder()
            .tableName(requests.table())
            .key(Items.key(PK, SK))
            .updateExpression(set)
            .conditionExpression(condition)
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values())
            .build();
    Answer answer = requests.update("write the marker of changes", request);
    if (answer instanceof Answer.Busy busy) {
      throw busy.failure();
    }
    if (answer instanceof Answer.Lost lost) {
      throw lost.failure();
    }
    return answer instanceof Answer.Done ? Optional.of(version) : Optional.empty();
  }
}
