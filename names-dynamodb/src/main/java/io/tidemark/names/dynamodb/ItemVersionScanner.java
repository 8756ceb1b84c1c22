// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.VersionPage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Scanner of the versions of records, by scanning the table. What an item says is its version,
 * payloads left aside: whatever we write has a new {@code write_id}, and what other programs write
 * a new watermark or time.
 */
final class ItemVersionScanner {

  /** A page is small, so that a survey that goes on in the background never takes much at once. */
  private static final int PAGE = 1000;

  /** Between the two halves of a page's key; no address and no sort key holds it. */
  private static final String BETWEEN = "\n";

  private static final List<String> TELLING =
      List.of(
          AttributeNames.WRITE_ID,
          AttributeNames.UPDATED_AT_MS,
          AttributeNames.RETRACTED,
          AttributeNames.INDEX_REV,
          ConcernAttributes.HEAD.watermark(),
          ConcernAttributes.INDEX.watermark(),
          ConcernAttributes.STATUS.watermark(),
          ConcernAttributes.CONFIG.watermark());

  private ItemVersionScanner() {}

  static VersionPage page(RequestSender requestSender, String prefix, Optional<String> page) {
    ExpressionBuilder x = new ExpressionBuilder();
    String projection =
        Stream.concat(Stream.of(AttributeNames.PK, AttributeNames.SK), TELLING.stream())
            .map(x::name)
            .reduce((a, b) -> a + ", " + b)
            .orElseThrow();
    ScanRequest.Builder request =
        ScanRequest.builder()
            .tableName(requestSender.table())
            .consistentRead(true)
            .limit(PAGE)
            .projectionExpression(projection);
    if (!prefix.isEmpty()) {
      request.filterExpression(
          "begins_with(" + x.name(AttributeNames.PK) + ", " + x.text(prefix) + ")");
      request.expressionAttributeValues(x.values());
    }
    page.ifPresent(key -> request.exclusiveStartKey(key(key)));
    request.expressionAttributeNames(x.names());
    ScanResponse found = requestSender.read("survey the table", c -> c.scan(request.build()));
    return new VersionPage(
        found.items().stream().flatMap(ItemVersionScanner::sighting).toList(),
        found.hasLastEvaluatedKey()
            ? Optional.of(text(found.lastEvaluatedKey()))
            : Optional.empty());
  }

  private static Stream<VersionPage.VersionEntry> sighting(Map<String, AttributeValue> item) {
    String sk = RequestSender.sk(item);
    boolean ours =
        sk.equals(AttributeNames.META) || ConcernAttributes.all().anyMatch(l -> l.sk().equals(sk));
    if (!ours) {
      return Stream.empty(); // a row of a commit, or the marker
    }
    try {
      Address address = Address.parse(RequestSender.pk(item));
      return Stream.of(new VersionPage.VersionEntry(address, sk, new TreeMap<>(item).toString()));
    } catch (InvalidAddressException e) {
      return Stream.empty();
    }
  }

  private static String text(Map<String, AttributeValue> key) {
    return RequestSender.pk(key) + BETWEEN + RequestSender.sk(key);
  }

  private static Map<String, AttributeValue> key(String text) {
    int between = text.indexOf(BETWEEN);
    return ItemCodec.key(text.substring(0, between), text.substring(between + 1));
  }
}
