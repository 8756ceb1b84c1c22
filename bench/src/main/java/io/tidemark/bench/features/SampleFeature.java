// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.geojson.Quadkey;
import io.tidemark.features.model.Feature;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A point somewhere, of some 160 bytes of JSON.
 *
 * @param id its id
 * @param lon where
 * @param lat where
 * @param n anything
 */
record SampleFeature(String id, double lon, double lat, int n) {

  private static final String PROPERTIES =
      "\"name\":\"road %1$d\",\"speedLimit\":%2$d,\"kind\":\"street\"";

  /** The number of the transaction that is said to have made a row. */
  static final String TXN = "2026111600000000001";

  private static final int POINT_Z_WITH_SRID = 0xA0000001;

  /** So many of a round, the same in every run. */
  static List<SampleFeature> some(int round, int count) {
    SplittableRandom random = new SplittableRandom(round);
    List<SampleFeature> samples = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      String id = "feature-%08x%08x".formatted(random.nextInt(), round * 10_000_000 + n);
      double lon = random.nextDouble(-180, 180);
      samples.add(new SampleFeature(id, lon, random.nextDouble(-90, 90), n));
    }
    return samples;
  }

  Feature feature() {
    return Feature.parse(
        String.format(
            Locale.ROOT,
            "{\"id\":\"%s\",\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%s,%s]},"
                + "\"properties\":{%s,\"@ns:com:here:xyz\":{\"tags\":[%s]}}}",
            id,
            lon,
            lat,
            properties(),
            tags()));
  }

  /**
   * The row as the storage makes it, for those who send it prepared; keys are in PostgreSQL's order
   * as in ours, so that it need not sort them.
   */
  String row(long i, String action) {
    String uuid = "store:bare:2026:11:16:" + i;
    return String.format(
        Locale.ROOT,
        "{\"id\":\"%s\",\"type\":\"Feature\",\"properties\":{%s,\"@ns:com:here:xyz\":{"
            + "\"txn\":"
            + TXN
            + ",\"crid\":null,\"mrid\":\"%s\",\"qrid\":\"%s\","
            + "\"tags\":[%s],\"uuid\":\"%s\",\"puuid\":null,\"rt_ts\":1794800000000,"
            + "\"action\":\"%s\",\"app_id\":\"bench\",\"author\":\"alice\",\"extend\":0,"
            + "\"version\":1,\"txn_next\":0,\"txn_uuid\":\"store:txn:2026:11:16:1\","
            + "\"author_ts\":1794800000000,\"createdAt\":1794800000000,\"stream_id\":null,"
            + "\"updatedAt\":1794800000000}}}",
        id,
        properties(),
        Quadkey.of(lon, lat),
        Quadkey.of(lon, lat),
        tags(),
        uuid,
        action);
  }

  /** The point as ours sends it, which PostGIS reads faster than words. */
  String ewkb() {
    ByteBuffer bytes = ByteBuffer.allocate(33).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 1).putInt(POINT_Z_WITH_SRID).putInt(4326);
    bytes.putDouble(lon).putDouble(lat).putDouble(0);
    return HexFormat.of().withUpperCase().formatHex(bytes.array());
  }

  private String properties() {
    return PROPERTIES.formatted(n, n % 130);
  }

  private String tags() {
    return "\"t%d\",\"u%d\"".formatted(n % 10, n % 100);
  }
}
