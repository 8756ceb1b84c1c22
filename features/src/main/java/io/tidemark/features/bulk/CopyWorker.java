// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.bulk.input.Entry;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.bulk.input.OpenInput;
import io.tidemark.features.db.Failures;
import io.tidemark.features.db.Session;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.write.FirstStates;
import io.tidemark.features.write.FirstStates.Measure;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * One of those that make rows of entries and send them to the server, each on a connection of its
 * own: while one waits for the server, others parse. Rows are kept apart by leaf until there are
 * enough for a COPY.
 */
final class CopyWorker {

  /**
   * What workers share.
   *
   * @param base the row number before the first
   * @param clock the server's, in milliseconds
   */
  record Shared(
      Staging staging,
      FirstStates states,
      OpenInput reading,
      Tally tally,
      Stop stop,
      long base,
      LongSupplier clock) {}

  /**
   * A parsed feature.
   *
   * @param unmeasured the geometry that only PostGIS can measure, in hexadecimal
   */
  private record Sent(Entry entry, Feature feature, String id, Optional<String> unmeasured) {}

  private final Shared shared;
  private final Session session;
  private final boolean partitioned;
  private final Map<String, CopyBuffer> buffers = new HashMap<>();
  private final MessageDigest md5 = md5();

  CopyWorker(Shared shared, Session session) {
    this.shared = shared;
    this.session = session;
    this.partitioned = shared.staging().leaves().size() > 1;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  /** Takes entries, and sends what is enough for a COPY. */
  void take(List<Entry> entries) {
    List<Sent> sent = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      try {
        Feature feature = shared.reading().parser().parse(entry.text());
        String id = shared.states().idOf(feature);
        sent.add(new Sent(entry, feature, id, FirstStates.toBeMeasured(feature)));
      } catch (InvalidFeatureException e) {
        shared.tally().leaveOut(shared.reading().placeOf(entry), e);
      }
    }
    Iterator<Measure> measures = measures(sent).iterator();
    long clock = shared.clock().getAsLong();
    for (Sent one : sent) {
      add(one, one.unmeasured().isPresent() ? measures.next() : null, clock);
    }
  }

  /** Only PostGIS says where something is that is more than a point. */
  private List<Measure> measures(List<Sent> sent) {
    List<String> geometries = new ArrayList<>();
    for (Sent one : sent) {
      one.unmeasured().ifPresent(geometries::add);
    }
    if (geometries.isEmpty()) {
      return List.of();
    }
    shared.stop().enter(session);
    List<Measure> measures =
        session.rows(
            "SELECT %s.naksha_qrid(g), %s.naksha_extend(g) FROM unnest(?::text[]) WITH"
                + " ORDINALITY AS u(t, n), LATERAL (SELECT %s.naksha_geometry(t) AS g) AS c"
                + " ORDER BY n",
            row -> new Measure(row.getString(1), row.getLong(2)), geometries);
    session.commit();
    shared.stop().leave(session);
    return measures;
  }

  private void add(Sent one, @Nullable Measure measure, long clock) {
    Entry entry = one.entry();
    String leaf = leaf(one.id());
    CopyBuffer buffer = buffers.computeIfAbsent(leaf, any -> new CopyBuffer());
    try {
      buffer.add(
          shared
              .states()
              .row(one.feature(), one.id(), shared.base() + entry.position(), measure, clock),
          entry);
    } catch (InvalidFeatureException e) {
      shared.tally().leaveOut(shared.reading().placeOf(entry), e);
      return;
    }
    if (buffer.isLarge()) {
      send(leaf, buffer);
    }
  }

  private String leaf(String id) {
    return partitioned ? Integer.toHexString((md5.digest(id.getBytes(UTF_8))[0] >> 4) & 0xf) : "";
  }

  /** Sends what is left. */
  void end() {
    for (Map.Entry<String, CopyBuffer> left : buffers.entrySet()) {
      if (left.getValue().rows() > 0) {
        send(left.getKey(), left.getValue());
      }
    }
  }

  private void send(String leaf, CopyBuffer buffer) {
    shared.stop().enter(session);
    try {
      Staging.unsynced(session);
      copy(shared.staging().copyInto(leaf), buffer.finish());
      session.commit();
    } catch (InvalidRequestException e) {
      if (!Failures.badData(e)) {
        throw e;
      }
      throw new InvalidInputException(
          "%s: PostgreSQL refuses one of the features: %s; nothing was loaded"
              .formatted(buffer.range(shared.reading()), e.getMessage()),
          e);
    }
    shared.stop().leave(session);
    shared.tally().take(buffer.rows());
    buffer.clear();
  }

  private void copy(String statement, ByteBuffer bytes) {
    session.with(
        connection -> {
          CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
          copy.writeToCopy(bytes.array(), bytes.arrayOffset(), bytes.limit());
          return copy.endCopy();
        });
  }
}
