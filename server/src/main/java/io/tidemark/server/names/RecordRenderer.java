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
 * Renderer of records for a caller; every record that leaves the server passes through it. It hides
 * secrets from callers that may read a name but not write it, and payloads from callers that may
 * not read it.
 */
public final class RecordRenderer {

  /**
   * Rendered state.
   *
   * @param json document
   * @param tag tag of this state, as this caller sees it
   */
  public record Body(ObjectNode json, String tag) {}

  /** Renders a record. */
  public Body record(NameRecord record, HttpRequestContext httpRequestContext) {
    NameRecord shown = visible(record, httpRequestContext.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = ETags.of(json);
    return new Body(isExact(httpRequestContext) ? RecordJson.exact(shown) : json, tag);
  }

  /** Renders one concern of a record. */
  public Body value(Address address, ConcernValue value, HttpRequestContext httpRequestContext) {
    ConcernValue shown = visible(address, value, httpRequestContext.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = ETags.of(json);
    return new Body(isExact(httpRequestContext) ? RecordJson.exact(shown) : json, tag);
  }

  /** Returns whether the caller wants payloads exactly as they were written. */
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

  /**
   * Returns whether a caller may both read and write a name; it sees secrets, since it could have
   * written them.
   */
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
