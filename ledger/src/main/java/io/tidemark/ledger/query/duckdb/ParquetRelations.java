// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.query.duckdb.LocalFiles.Origin;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.TypeView;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.TypeFiles;
import io.tidemark.ledger.store.TypeFiles.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a ledger in its Parquet files, as of one head. For one query, whose files it notes.
 *
 * <p>Only files with rows of the window are touched. Files with the very columns that the type has
 * now are read by these; of others, which have another writer or are of another version of the
 * type, the columns are made of the payloads.
 */
public final class ParquetRelations implements Relations {

  private static final Logger LOG = LoggerFactory.getLogger(ParquetRelations.class);

  private final Base base;
  private final KnownFiles known;
  private final LocalFiles files;
  private final List<UsedFile> used = new ArrayList<>();

  public ParquetRelations(Base base, KnownFiles known, LocalFiles files) {
    this.base = base;
    this.known = known;
    this.files = files;
  }

  /** A file that the query reads. */
  private record UsedFile(Source source, LocalFiles.Local local) {}

  @Override
  public String of(TypeView type, Window window) {
    Fetched fetched = fetch(type, window);
    TypeFiles.Resolved resolved = fetched.resolved();
    List<String> plain = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    List<LocalFiles.Local> copies = fetched.copies();
    for (int i = 0; i < copies.size(); i++) {
      LocalFiles.Local local = copies.get(i);
      used.add(new UsedFile(resolved.sources().get(i), local));
      boolean own = files.hasColumnsOf(type, local.path());
      (own ? plain : foreign).add(local.path().toString());
    }
    if (resolved.sources().isEmpty()) {
      return RowColumns.none(type);
    }
    Window within =
        new Window(resolved.lowerExclusive(), window.upper(), window.shape(), window.versions());
    List<Source> sources = resolved.sources();
    boolean oneCommit = sources.size() == 1 && sources.get(0).min() == sources.get(0).max();
    String rows = union(type, plain, foreign);
    return oneCommit ? StateSql.ofOneCommit(type, within, rows) : StateSql.of(type, within, rows);
  }

  /** Where rows are, and copies of these files. */
  private record Fetched(TypeFiles.Resolved resolved, List<LocalFiles.Local> copies) {}

  /**
   * A snapshot may be gone that this process found long ago, or be damaged. The index of now names
   * another; and the files of the commits have the same rows, whatever becomes of snapshots.
   */
  private Fetched fetch(TypeView type, Window window) {
    TypeFiles.Resolved resolved = known.resolve(type.id(), base, window);
    for (int tries = 1; ; tries++) {
      try {
        return new Fetched(resolved, files.get(resolved.sources()));
      } catch (CorruptLedgerException e) {
        if (resolved.sources().stream().noneMatch(Source::isSnapshot)) {
          throw e;
        }
        LOG.warn("{}; looking elsewhere", e.getMessage());
        known.forget(type.id());
        resolved =
            tries == 1
                ? known.resolve(type.id(), base, window)
                : known.resolveByCommits(type.id(), base, window);
      }
    }
  }

  private static String union(TypeView type, List<String> plain, List<String> foreign) {
    List<String> parts = new ArrayList<>();
    if (!plain.isEmpty()) {
      parts.add(
          "SELECT " + RowColumns.all(type) + " FROM read_parquet([" + SqlText.list(plain) + "])");
    }
    if (!foreign.isEmpty()) {
      parts.add(
          "SELECT "
              + RowColumns.fromPayload(type)
              + " FROM read_parquet(["
              + SqlText.list(foreign)
              + "], union_by_name = true)");
    }
    return parts.stream().collect(Collectors.joining(" UNION ALL ", "(", ")"));
  }

  /** Where the copies are that these relations read. */
  public List<Path> paths() {
    return used.stream().map(file -> file.local().path()).distinct().toList();
  }

  /** The files of all relations that were asked for. */
  public List<Explanation.File> files() {
    return used.stream()
        .distinct()
        .map(
            file ->
                new Explanation.File(
                    file.source().path(),
                    file.source().min(),
                    file.source().max(),
                    file.local().bytes(),
                    file.local().origin() == Origin.FETCHED ? file.local().bytes() : 0))
        .toList();
  }
}
