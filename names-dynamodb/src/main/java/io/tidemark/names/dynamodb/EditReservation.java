// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Keeps changes by other processes off a record while it is edited. An edit has to find every item
 * as it has read it, and among writers that never pause it would hardly ever do. So an edit that
 * was overtaken puts its id into the attribute {@link Attributes#RESERVED_BY} of each concern's
 * item, which needs no state to be unchanged and therefore always succeeds. A change that finds the
 * attribute waits.
 *
 * <p>The attribute goes with the edit. An edit whose process died leaves it; so whoever has found
 * the same id for {@link #LONGEST} goes ahead and removes it. That time is measured by whoever
 * waits, so that clocks of machines don't matter. Nothing but progress depends on it: changes and
 * edits stay conditional on the items that they have read.
 */
final class EditReservation {

  /** How long an edit is waited for. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(EditReservation.class);

  private final Requests requests;
  private final String pk;
  private final Wait wait;

  /** Every id that this edit has put into items. */
  private final Set<String> mine = new TreeSet<>();

  EditReservation(Requests requests, String pk) {
    this.requests = requests;
    this.pk = pk;
    this.wait = new Wait(requests);
  }

  /** How long one change, or one edit, has waited for the edits of others. */
  static final class Wait {
    private final Requests requests;
    private final Map<String, Long> began = new HashMap<>();

    Wait(Requests requests) {
      this.requests = requests;
    }

    /** Whether an edit has reserved an item and may still come to an end. */
    boolean isNeededFor(Map<String, AttributeValue> item) {
      if (!isReserved(item)) {
        return false;
      }
      long now = requests.nanos();
      long since = began.computeIfAbsent(by(item), id -> now);
      return now - since < LONGEST.toNanos();
    }
  }

  static boolean isReserved(Map<String, AttributeValue> item) {
    return item.containsKey(Attributes.RESERVED_BY);
  }

  private static String by(Map<String, AttributeValue> item) {
    return Requests.string(item, Attributes.RESERVED_BY);
  }

  /** Whether another edit has reserved the record and may still come to an end. */
  boolean isTakenByAnother(Map<String, Map<String, AttributeValue>> items) {
    return concerns(items).filter(item -> !mine.contains(by(item))).anyMatch(wait::isNeededFor);
  }

  /**
   * Has changes wait from now on. Of two edits that try at once the one that reserves the first
   * item goes on.
   *
   * @param items as they were read; a reservation that isn't waited for any more is replaced
   */
  void take(Map<String, Map<String, AttributeValue>> items) {
    String id = UUID.randomUUID().toString();
    mine.add(id);
    for (Map<String, AttributeValue> item : concerns(items).toList()) {
      Set<String> replaced = new TreeSet<>(mine);
      if (isReserved(item)) {
        replaced.add(by(item));
      }
      Expression x = new Expression();
      String set = "SET " + x.equal(Attributes.RESERVED_BY, AttributeValue.fromS(id));
      String condition =
          x.present(Attributes.PK)
              + " AND ("
              + x.absent(Attributes.RESERVED_BY)
              + " OR "
              + isAmong(x, replaced)
              + ")";
      if (!(update(item, x, set, condition) instanceof Answer.Done)) {
        return;
      }
    }
  }

  /** Lets changes go on, if an edit ended without a change. Without this they go on later. */
  void release() {
    if (mine.isEmpty()) {
      return;
    }
    try {
      for (Map<String, AttributeValue> item : concerns(requests.items(pk)).toList()) {
        if (mine.contains(by(item))) {
          Expression x = new Expression();
          String remove = "REMOVE " + x.name(Attributes.RESERVED_BY);
          Answer unused = update(item, x, remove, isAmong(x, mine));
        }
      }
    } catch (TidemarkException e) {
      LOG.warn("the reservation of {} stays until it expires: {}", pk, e.getMessage());
    }
  }

  private static String isAmong(Expression x, Set<String> ids) {
    return ids.stream()
        .map(id -> x.equal(Attributes.RESERVED_BY, AttributeValue.fromS(id)))
        .collect(Collectors.joining(" OR "));
  }

  private Answer update(
      Map<String, AttributeValue> item, Expression x, String update, String condition) {
    return requests.update(
        "reserve " + pk,
        UpdateItemRequest.builder()
            .tableName(requests.table())
            .key(Items.key(pk, Requests.sk(item)))
            .updateExpression(update)
            .conditionExpression(condition)
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values())
            .build());
  }

  /** The items that changes go to, in the same order for all edits. */
  private static Stream<Map<String, AttributeValue>> concerns(
      Map<String, Map<String, AttributeValue>> items) {
    return Layout.all().map(Layout::sk).map(items::get).filter(Objects::nonNull);
  }
}
