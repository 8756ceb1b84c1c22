// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Cancellation;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.api.ledger.LedgerTransfer;
import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInfo;
import io.tidemark.ledger.LedgerReader;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Service of a ledger in this process. */
public final class EmbeddedLedger implements LedgerService {

  private final EmbeddedLedgerContext ledger;

  EmbeddedLedger(EmbeddedLedgerContext ledger) {
    this.ledger = ledger;
  }

  @Override
  public LedgerService withCancellation(Cancellation cancellation) {
    return new EmbeddedLedger(ledger.withCancellation(cancellation));
  }

  @Override
  public LedgerSummary info(InfoRequest request) {
    return ledger.with(open -> info(open, request));
  }

  private LedgerSummary info(Ledger open, InfoRequest request) {
    LedgerInfo info = open.info();
    Map<TypeId, Long> counts = request.stats() ? counts(open.reader()) : Map.of();
    Map<TypeId, JsonNode> schemas = new TreeMap<>();
    if (request.schema()) {
      open.schemas()
          .current()
          .forEach(
              (type, version) ->
                  schemas.put(type, LedgerResultMapper.parsed(version.schemaJson())));
    }
    return new LedgerSummary(
        ledger.address().toString(),
        info.head(),
        info.location(),
        info.engineVersion(),
        true,
        info.indexWarning(),
        info.misnamed().isPresent() ? Optional.of(info.misnamed().getAsLong()) : Optional.empty(),
        asked(request.stats(), TypeKind.ENTITY, counts),
        asked(request.stats(), TypeKind.RELATION, counts),
        asked(request.schema(), TypeKind.ENTITY, schemas),
        asked(request.schema(), TypeKind.RELATION, schemas));
  }

  private Map<TypeId, Long> counts(LedgerReader ledgerReader) {
    Map<TypeId, Long> counts = new TreeMap<>();
    for (TypeId type : ledgerReader.types()) {
      ledger.cancellation().check();
      counts.put(type, ledgerReader.count(type));
    }
    return counts;
  }

  private static <V> Optional<Map<String, V>> asked(
      boolean asked, TypeKind typeKind, Map<TypeId, V> values) {
    if (!asked) {
      return Optional.empty();
    }
    Map<String, V> ofKind = new LinkedHashMap<>();
    values.forEach(
        (type, value) -> {
          if (type.kind() == typeKind) {
            ofKind.put(type.name(), value);
          }
        });
    return Optional.of(ofKind);
  }

  @Override
  public CommitResult commit(CommitRequest request, LongConsumer progress) {
    return new RowCommit(ledger, request, progress).run();
  }

  @Override
  public LedgerQueries queries() {
    return new EmbeddedQueries(ledger);
  }

  @Override
  public LedgerCommits commits() {
    return new EmbeddedCommits(ledger);
  }

  @Override
  public LedgerTypes types() {
    return new EmbeddedTypes(ledger);
  }

  @Override
  public LedgerBranches branches() {
    return new EmbeddedBranches(ledger);
  }

  @Override
  public LedgerTransfer transfer() {
    return new EmbeddedTransfer(ledger);
  }

  @Override
  public LedgerMaintenance maintenance() {
    return new EmbeddedMaintenance(ledger);
  }
}
