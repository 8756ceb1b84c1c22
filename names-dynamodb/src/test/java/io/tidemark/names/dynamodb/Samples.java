// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Values that the tests are about. */
final class Samples {

  static final Address MYDB = Address.parse("mydb");
  static final Address DEV = Address.parse("mydb:dev");
  static final Address SEARCH = Address.parse("search");
  static final AttributeValue NULL = AttributeValue.fromNul(true);

  private Samples() {}

  static ConcernChange push(Concern concern, ConcernValue expected, ConcernValue next) {
    return new ConcernChange.Push(concern, expected, next);
  }

  static ConcernChange advance(ConcernValue next) {
    return new ConcernChange.Advance(Concern.HEAD, next, ConcernChange.Bound.NEWER);
  }

  static ConcernValue head(String id, long t) {
    return at(t, "{\"id\":\"" + id + "\",\"t\":" + t + "}");
  }

  static ConcernValue at(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }

  static AttributeValue string(String text) {
    return AttributeValue.fromS(text);
  }

  static AttributeValue number(long n) {
    return ItemCodec.number(n);
  }
}
