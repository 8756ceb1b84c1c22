// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Change;
import io.tidemark.names.ConcernValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions on an item, under which a request changes it. */
final class Conditions {

  private Conditions() {}

  /** The item meta is there, and its record not retracted. */
  static String live(Expression x) {
    return x.present(Attributes.PK)
        + " AND ("
        + x.absent(Attributes.RETRACTED)
        + " OR "
        + x.equal(Attributes.RETRACTED, AttributeValue.fromBool(false))
        + ")";
  }

  /**
   * The change is allowed, as far as the form that is written can say; never when it isn't. Kept
   * short, as every push pays for it: what has a mark of any kind is looked at more closely.
   *
   * @param form how a state is stored
   */
  static String allow(Expression x, Change change, Function<ConcernValue, PayloadForm> form) {
    Layout layout = Layout.of(change.concern());
    String unmarked = unmarked(x) + " AND ";
    if (change instanceof Change.Push push) {
      return unmarked + is(x, layout, push.expected().watermark(), form.apply(push.expected()));
    }
    Change.Advance advance = (Change.Advance) change;
    String below = advance.bound() == Change.Bound.NEWER ? " < " : " <= ";
    return unmarked + x.name(layout.watermark()) + below + x.number(advance.next().watermark());
  }

  /**
   * The concern is still in the state into which a write has put it. The watermark is for programs
   * that move a head without a new write id; see {@link SeenStates}.
   */
  static String stillAs(Expression x, Layout layout, ConcernValue state, String writeId) {
    List<String> terms = new ArrayList<>();
    terms.add(unmarked(x));
    terms.add(x.name(layout.watermark()) + " = " + x.number(state.watermark()));
    terms.add(x.equal(Attributes.WRITE_ID, AttributeValue.fromS(writeId)));
    layout.foreign().forEach(attribute -> terms.add(x.absent(attribute)));
    return String.join(" AND ", terms);
  }

  private static String unmarked(Expression x) {
    return x.absent(Attributes.RETRACTED) + " AND " + x.absent(Attributes.RESERVED_BY);
  }

  /** The concern is in a state: both its watermark and its payload. */
  private static String is(Expression x, Layout layout, long watermark, PayloadForm form) {
    List<String> terms = new ArrayList<>();
    terms.add(x.name(layout.watermark()) + " = " + x.number(watermark));
    Map<String, AttributeValue> stored = form.attributes();
    AttributeValue payload = stored.get(layout.payload());
    boolean map = payload != null && payload.hasM();
    stored.forEach((attribute, value) -> terms.add(is(x, attribute, value)));
    (map ? layout.rivalsOfMap() : layout.forms())
        .stream()
            .filter(attribute -> !stored.containsKey(attribute))
            .forEach(attribute -> terms.add(x.absent(attribute)));
    return String.join(" AND ", terms);
  }

  private static String is(Expression x, String attribute, AttributeValue value) {
    if (value.type() != AttributeValue.Type.NUL) {
      return x.equal(attribute, value);
    }
    String isNull = "attribute_type(" + x.name(attribute) + ", " + x.text("NULL") + ")";
    return "(" + x.absent(attribute) + " OR " + isNull + ")";
  }

  /** The item is, in all the attributes that count, as it was seen. */
  static String unchanged(
      Expression x, Map<String, AttributeValue> seen, Collection<String> attributes) {
    List<String> terms = new ArrayList<>();
    terms.add(x.equal(Attributes.SK, AttributeValue.fromS(Requests.sk(seen)))); // it is there
    for (String attribute : attributes) {
      AttributeValue value = seen.get(attribute);
      terms.add(value == null ? x.absent(attribute) : x.equal(attribute, value));
    }
    return String.join(" AND ", terms);
  }
}
