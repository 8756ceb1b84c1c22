// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.parquet.DuckDb;
import io.tidemark.ledger.internal.parquet.RowReader;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.CountingBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The store that one test has its ledger in, and what it does with objects behind its back. */
final class LedgerFixture implements AutoCloseable {

  static final String PREFIX = "ledgers/main/";

  /** Files have the names of their hashes, so that tests may share the cache. */
  static final QuerySettings QUERIES =
      QuerySettings.standard()
          .withCache(Path.of("target", "query-cache"))
          .withReplica(Replication.NONE);

  private final QuerySettings queries;
  private final CountingBackend counting;
  private final ObjectStore store;
  private final LedgerObjects objects;
  private final List<Ledger> opened = new ArrayList<>();

  LedgerFixture(ObjectBackend backend) {
    this(backend, QUERIES);
  }

  /** One whose ledgers are asked in another way. */
  LedgerFixture(ObjectBackend backend, QuerySettings queries) {
    this.queries = queries;
    this.counting = new CountingBackend(backend);
    this.store = new ObjectStore(counting, Retry.standard());
    this.objects = new LedgerObjects(store, PREFIX);
  }

  CountingBackend counting() {
    return counting;
  }

  ObjectStore store() {
    return store;
  }

  LedgerObjects objects() {
    return objects;
  }

  LedgerInitializer initialiser() {
    return new LedgerInitializer(store, PREFIX);
  }

  /** A new ledger. */
  Ledger init() {
    initialiser().init();
    return open();
  }

  /** The ledger that is there, as another process opens it. */
  Ledger open() {
    return open(options().withQueries(queries));
  }

  Ledger open(LedgerOptions options) {
    Ledger ledger = Ledger.open(store, PREFIX, options);
    opened.add(ledger);
    return ledger;
  }

  /** A branch of the ledger that is there. */
  Ledger open(BranchName branch) {
    Ledger ledger = Ledger.open(objects.forBranch(branch), options());
    opened.add(ledger);
    return ledger;
  }

  /** A writer that leaves the lock to the next as soon as it is idle. */
  static LedgerOptions options() {
    return LedgerOptions.standard().withWriter(writer(Duration.ZERO)).withQueries(QUERIES);
  }

  /** A ledger whose writers are soon given up, so that what they left behind may be taken. */
  Ledger openWithLease(Duration lease) {
    WriterSettings usual = writer(Duration.ZERO);
    return open(
        options()
            .withWriter(
                new WriterSettings(
                    "test",
                    lease,
                    usual.lockTimeout(),
                    usual.idleAfter(),
                    usual.retry(),
                    usual.time())));
  }

  static WriterSettings writer(Duration idleAfter) {
    WriterSettings standard = WriterSettings.standard();
    return new WriterSettings(
        "test",
        standard.leaseTtl(),
        standard.lockTimeout(),
        idleAfter,
        standard.retry(),
        standard.time());
  }

  /** Every path of the ledger. */
  List<String> paths() {
    return paths("");
  }

  List<String> paths(String under) {
    try (Stream<ObjectInfo> found = objects.list(under)) {
      return found.map(info -> objects.path(info.key())).sorted().toList();
    }
  }

  /** Where a branch has what main has at a path. */
  String pathOn(BranchName branch, String path) {
    return objects.path(HeadCache.branchObjects(objects.forBranch(branch)).key(path));
  }

  ObjectNode json(String path) {
    return objects.read(path).orElseThrow().json();
  }

  static JsonNode parse(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(String path) {
    return objects.get(path).orElseThrow().text();
  }

  byte[] bytes(String path) {
    return objects.get(path).orElseThrow().bytes();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  void write(String path, String text) {
    objects.put(path, Body.of(text), Condition.none());
  }

  void write(String path, byte[] bytes) {
    objects.put(path, Body.of(bytes), Condition.none());
  }

  /** Changes a document as a program does that knows of no seal. */
  void edit(String path, Consumer<ObjectNode> change) {
    ObjectNode json = json(path);
    json.remove("seal_sha256");
    change.accept(json);
    objects.write(path, json, Condition.none());
  }

  void delete(String path) {
    objects.delete(path);
  }

  /** Where the manifest of the newest commit is. */
  String newestManifest() {
    return json("meta/head.json").path("manifest_path").asText();
  }

  ObjectNode manifest() {
    return json(newestManifest());
  }

  /** The rows of a data file. */
  List<Row> rows(TypeKind typeKind, String path) {
    List<Row> rows = new ArrayList<>();
    try (RowReader reader = RowReader.open(typeKind, bytes(path))) {
      reader.forEachRemaining(rows::add);
    }
    return rows;
  }

  /** What DuckDB makes of a data file, which the query calls {@code file}. */
  List<String> duckDb(String path, String query) {
    try (DuckDb duckDb = new DuckDb()) {
      Path copy = Files.createTempFile("tidemark-", ".parquet");
      try {
        Files.write(copy, bytes(path));
        return duckDb.rows(query.replace("file", "read_parquet('" + copy + "')"));
      } finally {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a commit changed. */
  static List<IdentityChange> changes(Ledger ledger, long commitId) {
    List<IdentityChange> changes = new ArrayList<>();
    if (!ledger.log().changes(commitId, changes::add)) {
      throw new AssertionError("there is no commit " + commitId);
    }
    return changes;
  }

  /** Such as {@code insert entity:Customer c1 {"age":30}}. */
  static List<String> told(Ledger ledger, long commitId) {
    return changes(ledger, commitId).stream()
        .map(
            identityChange ->
                identityChange.operation().jsonName()
                    + " "
                    + identityChange.type()
                    + " "
                    + identityChange.identity()
                    + identityChange
                        .before()
                        .map(before -> " " + before.fieldsJson() + " ->")
                        .orElse("")
                    + " "
                    + identityChange.after().fieldsJson())
        .toList();
  }

  @Override
  public void close() {
    opened.forEach(Ledger::close);
    store.close();
  }
}
