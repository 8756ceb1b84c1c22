// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.branch.Branch;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Adoption of a ledger that exists already: gives it a name, and names to its branches. Nothing of
 * the ledger itself changes. All of it is validated before the first name is made. Repeating an
 * adoption that was interrupted completes it, and repeating a complete one changes nothing.
 */
public final class LedgerAdoption {

  private final NameService names;
  private final NamedLedgers ledgers;
  private final LedgerOptions options;

  public LedgerAdoption(NamedLedgers ledgers, LedgerOptions options) {
    this.names = ledgers.names();
    this.ledgers = ledgers;
    this.options = options;
  }

  /**
   * Result of an adoption: a ledger that has its name.
   *
   * @param head its newest commit; 0 when there is none
   * @param branches the addresses of its other branches
   */
  public record AdoptionResult(
      Address address, String location, long head, List<Address> branches) {
    public AdoptionResult {
      branches = List.copyOf(branches);
    }
  }

  /** Branch with the commit that its name is to have. */
  private record Tip(Branch branch, Optional<Ref> ref) {}

  /**
   * Adopts a ledger.
   *
   * @param address its name to be, of the main branch
   * @param objects where its objects are; empty for where the name says, or the usual place
   * @throws UninitializedLedgerException when there is no ledger in that place
   * @throws AlreadyExistsException when one of the names is that of something else
   */
  public AdoptionResult adopt(Address address, Optional<String> objects) {
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.preview(address, objects)) {
      LedgerObjects main = ledgerLocation.objects(address);
      if (Head.read(main).isEmpty()) {
        throw UninitializedLedgerException.notAdoptable(main.location());
      }
      Map<Address, Tip> tips = tips(address, ledgerLocation);
      tips.keySet().forEach(each -> names.find(each).ifPresent(NamedLedgers::requireFree));
      ledgers.claim(address, objects).close();
      for (Address each : parentsFirst(tips)) {
        name(each, tips);
      }
      long head = tip(tips, address).branch().head();
      List<Address> others = tips.keySet().stream().filter(a -> !a.equals(address)).toList();
      return new AdoptionResult(address, main.location(), head, others);
    }
  }

  /** Opens each branch, which validates its head. */
  private Map<Address, Tip> tips(Address address, NamedLedgers.LedgerLocation ledgerLocation) {
    Map<Address, Tip> tips = new LinkedHashMap<>();
    List<Branch> branches;
    try (Ledger ledger = Ledger.open(ledgerLocation.objects(address), options)) {
      branches = ledger.branches().list();
    }
    for (Branch branch : branches) {
      Address each = address.onBranch(branch.name().text());
      try (Ledger ledger = Ledger.open(ledgerLocation.objects(each), options)) {
        tips.put(
            each,
            new Tip(
                branch,
                ledger.log().contentId(branch.head()).map(id -> Ref.of(id, branch.head()))));
        names.find(each).ifPresent(record -> requireItsCommit(record, ledger));
      }
    }
    return tips;
  }

  /** Requires that a name that there is already is at a commit of this ledger. */
  private static void requireItsCommit(NameRecord record, Ledger ledger) {
    Ref named = record.commit();
    if (named.t() > 0 && !ledger.log().contentId(named.t()).equals(named.id())) {
      throw new AlreadyExistsException(
          record.address()
              + " is the name of another ledger, at commit "
              + named.t()
              + "; choose another name, or purge this one first");
    }
  }

  private static Tip tip(Map<Address, Tip> tips, Address address) {
    return Objects.requireNonNull(tips.get(address));
  }

  /** Orders branches so that each comes after the branch that it began from, if that is here. */
  private static List<Address> parentsFirst(Map<Address, Tip> tips) {
    List<Address> ordered = new ArrayList<>();
    List<Address> waiting = new ArrayList<>(tips.keySet());
    while (!waiting.isEmpty()) {
      List<Address> ready =
          waiting.stream()
              .filter(
                  each -> !waiting.contains(source(each, tips)) || source(each, tips).equals(each))
              .toList();
      List<Address> next = ready.isEmpty() ? List.of(waiting.get(0)) : ready;
      ordered.addAll(next);
      waiting.removeAll(next);
    }
    return ordered;
  }

  /** Returns the branch that a branch began from; main if that isn't here any more. */
  private static Address source(Address branch, Map<Address, Tip> tips) {
    return tip(tips, branch)
        .branch()
        .forked()
        .map(forkPoint -> branch.onBranch(forkPoint.branch()))
        .filter(tips::containsKey)
        .orElse(branch.onBranch(Address.MAIN));
  }

  private void name(Address address, Map<Address, Tip> tips) {
    Branch branch = tip(tips, address).branch();
    Optional<Ref> ref = tip(tips, address).ref();
    Optional<NameRecord> known = names.find(address);
    if (known.isEmpty()) { // so it isn't main, whose name was claimed before
      try {
        names.branches().create(source(address, tips), branch.name().text(), ref);
        return;
      } catch (AlreadyExistsException e) {
        // By another adoption of this ledger: no other has the name of its main branch.
        known = names.find(address);
      }
    }
    long named = known.map(record -> record.commit().t()).orElse(0L);
    if (ref.isPresent() && named < branch.head()) {
      String id = ref.get().id().orElseThrow();
      new NameRecordPublisher(names, address, named).publish(branch.head(), id);
    }
  }
}
