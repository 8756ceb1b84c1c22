// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.view.RecordJson;
import io.tidemark.server.access.Caller;
import io.tidemark.server.http.Call;

/** What a caller is shown of records: whatever leaves the server of one goes through here. */
public final class RecordBodies {

  /**
   * What is shown.
   *
   * @param json the document
   * @param tag names this state, as this caller sees it
   */
  public record Body(ObjectNode json, String tag) {}

  /** A record. */
  public Body record(NameRecord record, Call call) {
    NameRecord shown = visible(record, call.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = Tags.of(json);
    return new Body(isExact(call) ? RecordJson.exact(shown) : json, tag);
  }

  /** One concern of a record. */
  public Body value(Address address, Concern concern, ConcernValue value, Call call) {
    ConcernValue shown = visible(address, concern, value, call.caller());
    ObjectNode json = RecordJson.of(shown);
    String tag = Tags.of(json);
    return new Body(isExact(call) ? RecordJson.exact(shown) : json, tag);
  }

  /** Whether payloads are wanted as they were written. */
  private static boolean isExact(Call call) {
    return call.flag("exact");
  }

  /** What the caller may see of a record. */
  private static NameRecord visible(NameRecord record, Caller caller) {
    return record;
  }

  /** What the caller may see of a concern. */
  private static ConcernValue visible(
      Address address, Concern concern, ConcernValue value, Caller caller) {
    return value;
  }
}
