// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.bulk.input.InputEntry;
import io.tidemark.features.bulk.input.InputReader;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.write.InitialVersions;
import io.tidemark.features.write.InitialVersions.Measure;
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
 * Worker that parses entries and sends rows to the server, on a connection of its own. While one
 * worker waits for the server, other workers parse. Rows are buffered by leaf until there are
 * enough for a COPY.
 */
final class CopyWorker {

  /**
   * State that the workers share.
   *
   * @param base the row number before the first
   * @param clock the server's, in milliseconds
   */
  record Context(
      StagingTables staging,
      InitialVersions states,
      InputReader reading,
      LoadCounts tally,
      LoadCancellation stop,
      long base,
      LongSupplier clock) {}

  /**
   * A parsed feature.
   *
   * @param unmeasured the geometry that only PostGIS can measure, in hexadecimal
   */
  private record ParsedFeature(
      InputEntry entry, Feature feature, String id, Optional<String> unmeasured) {}

  private final Context context;
  private final SqlSession sqlSession;
  private final boolean partitioned;
  private final Map<String, CopyBuffer> buffers = new HashMap<>();
  private final MessageDigest md5 = md5();

  CopyWorker(Context context, SqlSession sqlSession) {
    this.context = context;
    this.sqlSession = sqlSession;
    this.partitioned = context.staging().leaves().size() > 1;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  /** Takes entries, and sends the buffers that are full enough for a COPY. */
  void process(List<InputEntry> entries) {
    List<ParsedFeature> sent = new ArrayList<>(entries.size());
    for (InputEntry inputEntry : entries) {
      try {
        Feature feature = context.reading().parser().parse(inputEntry.text());
        String id = context.states().idOf(feature);
        sent.add(
            new ParsedFeature(inputEntry, feature, id, InitialVersions.geometryToMeasure(feature)));
      } catch (InvalidFeatureException e) {
        context.tally().skip(context.reading().placeOf(inputEntry), e);
      }
    }
    Iterator<Measure> measures = measures(sent).iterator();
    long clock = context.clock().getAsLong();
    for (ParsedFeature one : sent) {
      add(one, one.unmeasured().isPresent() ? measures.next() : null, clock);
    }
  }

  /** Asks PostGIS for the measures of geometries other than points. */
  private List<Measure> measures(List<ParsedFeature> sent) {
    List<String> geometries = new ArrayList<>();
    for (ParsedFeature one : sent) {
      one.unmeasured().ifPresent(geometries::add);
    }
    if (geometries.isEmpty()) {
      return List.of();
    }
    context.stop().register(sqlSession);
    List<Measure> measures =
        sqlSession.queryRows(
            "SELECT %s.naksha_qrid(g), %s.naksha_extend(g) FROM unnest(?::text[]) WITH"
                + " ORDINALITY AS u(t, n), LATERAL (SELECT %s.naksha_geometry(t) AS g) AS c"
                + " ORDER BY n",
            row -> new Measure(row.getString(1), row.getLong(2)), geometries);
    sqlSession.commit();
    context.stop().unregister(sqlSession);
    return measures;
  }

  private void add(ParsedFeature one, @Nullable Measure measure, long clock) {
    InputEntry inputEntry = one.entry();
    String leaf = leaf(one.id());
    CopyBuffer buffer = buffers.computeIfAbsent(leaf, any -> new CopyBuffer());
    try {
      buffer.add(
          context
              .states()
              .row(one.feature(), one.id(), context.base() + inputEntry.position(), measure, clock),
          inputEntry);
    } catch (InvalidFeatureException e) {
      context.tally().skip(context.reading().placeOf(inputEntry), e);
      return;
    }
    if (buffer.isLarge()) {
      send(leaf, buffer);
    }
  }

  private String leaf(String id) {
    return partitioned ? Integer.toHexString((md5.digest(id.getBytes(UTF_8))[0] >> 4) & 0xf) : "";
  }

  /** Sends the remaining rows. */
  void flush() {
    for (Map.Entry<String, CopyBuffer> left : buffers.entrySet()) {
      if (left.getValue().rows() > 0) {
        send(left.getKey(), left.getValue());
      }
    }
  }

  private void send(String leaf, CopyBuffer buffer) {
    context.stop().register(sqlSession);
    try {
      StagingTables.disableSynchronousCommit(sqlSession);
      copy(context.staging().copyInto(leaf), buffer.finish());
      sqlSession.commit();
    } catch (InvalidRequestException e) {
      if (!PostgresErrorTranslator.isInvalidData(e)) {
        throw e;
      }
      throw new InvalidInputException(
          "%s: PostgreSQL refuses one of the features: %s; nothing was loaded"
              .formatted(buffer.range(context.reading()), e.getMessage()),
          e);
    }
    context.stop().unregister(sqlSession);
    context.tally().addLoaded(buffer.rows());
    buffer.clear();
  }

  private void copy(String statement, ByteBuffer bytes) {
    sqlSession.with(
        connection -> {
          CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
          copy.writeToCopy(bytes.array(), bytes.arrayOffset(), bytes.limit());
          return copy.endCopy();
        });
  }
}
