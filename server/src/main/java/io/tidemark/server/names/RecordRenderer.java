// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.view.RecordJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.problem.Redaction;
import java.util.Optional;

/**
 * What a caller is shown of records: whatever leaves the server of one goes through here. Secrets
 * are hidden from who may read a name but not write it, and payloads from who may not read it.
 */
public final class RecordRenderer {

  /**
   * What is shown.
   *
   * @param json the document
   * @param tag names this state, as this caller sees it
   */
  public record Body(ObjectNode json, String tag) {}

  /** A record. */
  public Body record(NameRecord record, HttpRequestContext httpRequestContext) {
    NameRecord shown = visible(record, httpRequestContext.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = ETags.of(json);
    return new Body(isExact(httpRequestContext) ? RecordJson.exact(shown) : json, tag);
  }

  /** One concern of a record. */
  public Body value(Address address, ConcernValue value, HttpRequestContext httpRequestContext) {
    ConcernValue shown = visible(address, value, httpRequestContext.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = ETags.of(json);
    return new Body(isExact(httpRequestContext) ? RecordJson.exact(shown) : json, tag);
  }

  /** Returns whether payloads are wanted as they were written. */
  private static boolean isExact(HttpRequestContext httpRequestContext) {
    return httpRequestContext.flag("exact");
  }

  private static NameRecord visible(NameRecord record, Caller caller) {
    Address address = record.address();
    if (mayWrite(address, caller)) {
      return record;
    }
    return new NameRecord(
        address,
        record.meta(),
        visible(address, record.head(), caller),
        visible(address, record.index(), caller),
        visible(address, record.status(), caller),
        visible(address, record.config(), caller));
  }

  /** Who may write a name could have put there what is hidden from those who may only read it. */
  private static boolean mayWrite(Address address, Caller caller) {
    String name = address.toString();
    return caller.may(Action.WRITE, ResourceType.NAMES, name)
        && caller.may(Action.READ, ResourceType.NAMES, name);
  }

  private static ConcernValue visible(Address address, ConcernValue value, Caller caller) {
    if (value.payload().isEmpty() || mayWrite(address, caller)) {
      return value;
    }
    if (!caller.may(Action.READ, ResourceType.NAMES, address.toString())) {
      return new ConcernValue(value.watermark(), Optional.empty());
    }
    JsonNode shown = Redaction.of(value.payload().get().toTree());
    return ConcernValue.of(value.watermark(), Payload.of(shown));
  }
}
