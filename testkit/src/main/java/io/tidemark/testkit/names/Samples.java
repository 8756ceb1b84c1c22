// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import java.util.Optional;

/** Values that the cases are about. */
final class Samples {
  static final Address MYDB = Address.parse("mydb:main");
  static final Address DEV = Address.parse("mydb:dev");
  static final Address SEARCH = Address.parse("search:main");
  static final Address NOPE = Address.parse("nope:main");

  static final String C1 = "bagaybqabciqgt7owe5vdp5pefl37aqc2efydwycvipiiqjbjqoweex5ijczysbq";
  static final String C2 = "bagaybqabciqfm2seuoz3zuvwskxti55exuoqllqyokwpqhxb2queyluofromg5a";
  static final String C5 = "bagaybqabciqg7u3nfra7tdl3yepwx3tfpm3rsjthlprt75gdokpr3uzrvulwk4i";
  static final String I1 = "baghybqabciqihyvmmno5fe6rsrwu2o7hxetnotfyaf32quh3jikpg5tdip2lpba";
  static final String I2 = "baghybqabciqgvlac7vnep6pk2xooh4ew43jeqaq7gvrn4kylgwtmpvfr2izrppq";
  static final String X1 = "bageibqabciqlnvcmx27f5s5pngp2kb6cyjuno5en5ike5co6a6twp4mmw2dbo3i";

  static final ConcernValue READY = value(1, "{'state':'ready'}");

  private Samples() {}

  /** JSON with single quotes for double ones. */
  static Payload json(String text) {
    return Payload.parse(text.replace('\'', '"'));
  }

  static ConcernValue value(long watermark, String text) {
    return ConcernValue.of(watermark, json(text));
  }

  /** A watermark without a payload. */
  static ConcernValue cleared(long watermark) {
    return new ConcernValue(watermark, Optional.empty());
  }

  static ConcernValue head(String id, long t) {
    return value(t, "{'id':'" + id + "','t':" + t + "}");
  }

  static ConcernValue index(String id, long t, long rev) {
    return value(t, "{'default':{'id':'" + id + "','t':" + t + ",'rev':" + rev + "}}");
  }

  static ConcernValue state(long watermark, String state) {
    return value(watermark, "{'state':'" + state + "'}");
  }

  /** What a concern is moved to by this step, each step onward from the one before. */
  static ConcernValue step(Concern concern, int step) {
    return switch (concern) {
      case HEAD -> head("c" + step, step);
      case INDEX -> index("i" + step, step, 0);
      case STATUS -> state(step + 1L, "s" + step);
      case CONFIG -> value(step, "{'step':" + step + "}");
    };
  }
}
