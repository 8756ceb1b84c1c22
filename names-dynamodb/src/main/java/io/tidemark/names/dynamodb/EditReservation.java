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
 * Reservation that keeps changes by other processes off a record while it is edited. An edit has to
 * find every item as it has read it, and among writers that never pause it would hardly ever do. So
 * an edit that was overtaken puts its id into the attribute {@link AttributeNames#RESERVED_BY} of
 * each concern's item, which needs no state to be unchanged and therefore always succeeds. A change
 * that finds the attribute waits.
 *
 * <p>The attribute goes with the edit. An edit whose process died leaves it; so a writer that has
 * found the same id for {@link #LONGEST} goes ahead and removes it. That time is measured by the
 * waiting process, so that clocks of machines don't matter. Nothing but progress depends on it:
 * changes and edits stay conditional on the items that they have read.
 */
final class EditReservation {

  /** How long an edit is waited for. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(EditReservation.class);

  private final RequestSender requestSender;
  private final String pk;
  private final ReservationWait reservationWait;

  /** Every id that this edit has put into items. */
  private final Set<String> mine = new TreeSet<>();

  EditReservation(RequestSender requestSender, String pk) {
    this.requestSender = requestSender;
    this.pk = pk;
    this.reservationWait = new ReservationWait(requestSender);
  }

  /** Time that one change, or one edit, has waited for other edits. */
  static final class ReservationWait {
    private final RequestSender requestSender;
    private final Map<String, Long> began = new HashMap<>();

    ReservationWait(RequestSender requestSender) {
      this.requestSender = requestSender;
    }

    /** Returns whether an edit has reserved an item and may still come to an end. */
    boolean isNeededFor(Map<String, AttributeValue> item) {
      if (!isReserved(item)) {
        return false;
      }
      long now = requestSender.nanos();
      long since = began.computeIfAbsent(reservationId(item), id -> now);
      return now - since < LONGEST.toNanos();
    }
  }

  static boolean isReserved(Map<String, AttributeValue> item) {
    return item.containsKey(AttributeNames.RESERVED_BY);
  }

  private static String reservationId(Map<String, AttributeValue> item) {
    return RequestSender.string(item, AttributeNames.RESERVED_BY);
  }

  /** Returns whether another edit has reserved the record and may still come to an end. */
  boolean isReservedByAnother(Map<String, Map<String, AttributeValue>> items) {
    return concerns(items)
        .filter(item -> !mine.contains(reservationId(item)))
        .anyMatch(reservationWait::isNeededFor);
  }

  /**
   * Has changes wait from now on. Of two edits that try at once the one that reserves the first
   * item goes on.
   *
   * @param items as they were read; a reservation that isn't waited for any more is replaced
   */
  void reserve(Map<String, Map<String, AttributeValue>> items) {
    String id = UUID.randomUUID().toString();
    mine.add(id);
    for (Map<String, AttributeValue> item : concerns(items).toList()) {
      Set<String> replaced = new TreeSet<>(mine);
      if (isReserved(item)) {
        replaced.add(reservationId(item));
      }
      ExpressionBuilder x = new ExpressionBuilder();
      String set = "SET " + x.equal(AttributeNames.RESERVED_BY, AttributeValue.fromS(id));
      String condition =
          x.present(AttributeNames.PK)
              + " AND ("
              + x.absent(AttributeNames.RESERVED_BY)
              + " OR "
              + isAmong(x, replaced)
              + ")";
      if (!(update(item, x, set, condition) instanceof WriteOutcome.Written)) {
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
      for (Map<String, AttributeValue> item : concerns(requestSender.items(pk)).toList()) {
        if (mine.contains(reservationId(item))) {
          ExpressionBuilder x = new ExpressionBuilder();
          String remove = "REMOVE " + x.name(AttributeNames.RESERVED_BY);
          WriteOutcome unused = update(item, x, remove, isAmong(x, mine));
        }
      }
    } catch (TidemarkException e) {
      LOG.warn("the reservation of {} stays until it expires: {}", pk, e.getMessage());
    }
  }

  private static String isAmong(ExpressionBuilder x, Set<String> ids) {
    return ids.stream()
        .map(id -> x.equal(AttributeNames.RESERVED_BY, AttributeValue.fromS(id)))
        .collect(Collectors.joining(" OR "));
  }

  private WriteOutcome update(
      Map<String, AttributeValue> item, ExpressionBuilder x, String update, String condition) {
    return requestSender.update(
        "reserve " + pk,
        UpdateItemRequest.builder()
            .tableName(requestSender.table())
            .key(ItemCodec.key(pk, RequestSender.sk(item)))
            .updateExpression(update)
            .conditionExpression(condition)
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values())
            .build());
  }

  /** Returns the items that changes go to, in the same order for all edits. */
  private static Stream<Map<String, AttributeValue>> concerns(
      Map<String, Map<String, AttributeValue>> items) {
    return ConcernAttributes.all()
        .map(ConcernAttributes::sk)
        .map(items::get)
        .filter(Objects::nonNull);
  }
}
