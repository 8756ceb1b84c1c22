// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.Actor;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The namespace of a state that is about to be replaced. A state that bypassed the triggers may
 * lack any member, or have it in another type. Then defaults are used, and reported, as by the
 * trigger.
 *
 * @param id the feature
 * @param xyz an object, empty if there is none
 */
record PreviousVersion(String id, JsonNode xyz) {

  /** Bound of the numbers that the database can keep. */
  private static final BigDecimal BEYOND = new BigDecimal("9e18");

  /** Returns the GUID; null if there is none, so that the next state has no predecessor. */
  @Nullable String uuid() {
    return xyz.path("uuid").isTextual() ? xyz.path("uuid").textValue() : null;
  }

  /** Returns a number, or the given default if there is none. */
  long number(String field, long instead) {
    return isNumber(field)
        ? xyz.path(field).decimalValue().setScale(0, RoundingMode.HALF_UP).longValue()
        : instead;
  }

  private boolean isNumber(String field) {
    return xyz.path(field).isNumber() && xyz.path(field).decimalValue().abs().compareTo(BEYOND) < 0;
  }

  /**
   * Returns warnings about missing values.
   *
   * @param actor the application and person that replace this version
   */
  List<String> flaws(Actor actor) {
    List<String> flaws = new ArrayList<>();
    if (uuid() == null) {
      flaws.add("has no uuid, so the new state names none before it");
    }
    if (!isNumber("version")) {
      flaws.add("has no version that is a number; the new state is the first again");
    }
    if (!isNumber("createdAt")) {
      flaws.add("has no createdAt that is a number; the time of this transaction is taken");
    }
    if (actor.author() == null && xyz.has("author_ts") && !isNumber("author_ts")) {
      flaws.add("has no author_ts that is a number; createdAt is taken");
    }
    return flaws.stream().map(("the old state of feature '" + id + "' ")::concat).toList();
  }
}
