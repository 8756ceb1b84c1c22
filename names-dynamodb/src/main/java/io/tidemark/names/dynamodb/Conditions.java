// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Change;
import io.tidemark.names.ConcernValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions on an item, under which a request changes it. */
final class Conditions {

  private Conditions() {}

  /** The item is there, and its record not retracted. */
  static String live(Expression x) {
    return x.present(Attributes.PK)
        + " AND ("
        + x.absent(Attributes.RETRACTED)
        + " OR "
        + x.equal(Attributes.RETRACTED, AttributeValue.fromBool(false))
        + ")";
  }

  /** The change is allowed, as far as the present form of items can say; never when it isn't. */
  static String allow(Expression x, Change change) {
    Layout layout = Layout.of(change.concern());
    if (change instanceof Change.Push push) {
      return is(x, layout, push.expected());
    }
    Change.Advance advance = (Change.Advance) change;
    String below = advance.bound() == Change.Bound.NEWER ? " < " : " <= ";
    return x.name(layout.watermark()) + below + x.number(advance.next().watermark());
  }

  /** The concern is in a state: both its watermark and its payload. */
  private static String is(Expression x, Layout layout, ConcernValue state) {
    List<String> terms = new ArrayList<>();
    terms.add(x.name(layout.watermark()) + " = " + x.number(state.watermark()));
    Optional<PayloadForm> form = state.payload().map(payload -> PayloadForm.of(layout, payload));
    if (form.isPresent()) {
      terms.add(x.equal(layout.payload(), form.get().map()));
    } else {
      terms.add(
          "("
              + x.absent(layout.payload())
              + " OR attribute_type("
              + x.name(layout.payload())
              + ", "
              + x.text("NULL")
              + "))");
      layout.older().forEach(attribute -> terms.add(x.absent(attribute)));
    }
    Optional<String> text = form.flatMap(PayloadForm::text);
    terms.add(
        text.map(json -> x.equal(layout.text(), AttributeValue.fromS(json)))
            .orElseGet(() -> x.absent(layout.text())));
    return String.join(" AND ", terms);
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
