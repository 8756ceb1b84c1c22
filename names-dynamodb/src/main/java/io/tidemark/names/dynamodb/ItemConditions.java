// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions on an item, under which a request changes it. */
final class ItemConditions {

  private ItemConditions() {}

  /** The item meta is there, and its record not retracted. */
  static String live(ExpressionBuilder x) {
    return x.present(AttributeNames.PK)
        + " AND ("
        + x.absent(AttributeNames.RETRACTED)
        + " OR "
        + x.equal(AttributeNames.RETRACTED, AttributeValue.fromBool(false))
        + ")";
  }

  /**
   * The change is allowed, as far as the form that is written can say; never when it isn't. Kept
   * short, as every push pays for it: what has a mark of any kind is looked at more closely.
   *
   * @param form how a state is stored
   */
  static String allow(
      ExpressionBuilder x,
      ConcernChange concernChange,
      Function<ConcernValue, PayloadAttributes> form) {
    ConcernAttributes concernAttributes = ConcernAttributes.of(concernChange.concern());
    String unmarked = unmarked(x) + " AND ";
    if (concernChange instanceof ConcernChange.Push push) {
      return unmarked
          + is(x, concernAttributes, push.expected().watermark(), form.apply(push.expected()));
    }
    ConcernChange.Advance advance = (ConcernChange.Advance) concernChange;
    String below = advance.bound() == ConcernChange.Bound.NEWER ? " < " : " <= ";
    return unmarked
        + x.name(concernAttributes.watermark())
        + below
        + x.number(advance.next().watermark());
  }

  /**
   * The concern is still in the state into which a write has put it. The watermark is for programs
   * that move a head without a new write id; see {@link WriteIdCache}.
   */
  static String isUnchangedSince(
      ExpressionBuilder x,
      ConcernAttributes concernAttributes,
      ConcernValue state,
      String writeId) {
    List<String> terms = new ArrayList<>();
    terms.add(unmarked(x));
    terms.add(x.name(concernAttributes.watermark()) + " = " + x.number(state.watermark()));
    terms.add(x.equal(AttributeNames.WRITE_ID, AttributeValue.fromS(writeId)));
    concernAttributes.externalPointer().forEach(attribute -> terms.add(x.absent(attribute)));
    return String.join(" AND ", terms);
  }

  private static String unmarked(ExpressionBuilder x) {
    return x.absent(AttributeNames.RETRACTED) + " AND " + x.absent(AttributeNames.RESERVED_BY);
  }

  /** The concern is in a state: both its watermark and its payload. */
  private static String is(
      ExpressionBuilder x,
      ConcernAttributes concernAttributes,
      long watermark,
      PayloadAttributes form) {
    List<String> terms = new ArrayList<>();
    terms.add(x.name(concernAttributes.watermark()) + " = " + x.number(watermark));
    Map<String, AttributeValue> stored = form.attributes();
    AttributeValue payload = stored.get(concernAttributes.payload());
    boolean map = payload != null && payload.hasM();
    stored.forEach((attribute, value) -> terms.add(is(x, attribute, value)));
    (map ? concernAttributes.overridingAttributes() : concernAttributes.payloadAttributes())
        .stream()
            .filter(attribute -> !stored.containsKey(attribute))
            .forEach(attribute -> terms.add(x.absent(attribute)));
    return String.join(" AND ", terms);
  }

  private static String is(ExpressionBuilder x, String attribute, AttributeValue value) {
    if (value.type() != AttributeValue.Type.NUL) {
      return x.equal(attribute, value);
    }
    String isNull = "attribute_type(" + x.name(attribute) + ", " + x.text("NULL") + ")";
    return "(" + x.absent(attribute) + " OR " + isNull + ")";
  }

  /** The item is, in all the attributes that count, as it was seen. */
  static String unchanged(
      ExpressionBuilder x, Map<String, AttributeValue> seen, Collection<String> attributes) {
    List<String> terms = new ArrayList<>();
    terms.add(
        x.equal(AttributeNames.SK, AttributeValue.fromS(RequestSender.sk(seen)))); // it is there
    for (String attribute : attributes) {
      AttributeValue value = seen.get(attribute);
      terms.add(value == null ? x.absent(attribute) : x.equal(attribute, value));
    }
    return String.join(" AND ", terms);
  }
}
