// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each request of what a writer does goes wrong in turn, in every way. Whatever happens, in the end
 * the ledger tells the same as one where nothing did: each commit once, none twice, none in part,
 * upgraders applied once (F5), what was purged gone (F4), and the lock free.
 */
class FaultAtEveryRequestTest {

  static Stream<Arguments> deedsAndMishaps() {
    return Stream.of(WriterOperation.values())
        .flatMap(
            writerOperation ->
                Stream.of(RequestFault.values())
                    .map(requestFault -> Arguments.of(writerOperation, requestFault)));
  }

  @ParameterizedTest
  @MethodSource("deedsAndMishaps")
  void losesAndDoublesNothing_F1_F2_F3_F5_F6_F9_G5_G13(
      WriterOperation writerOperation, RequestFault requestFault) {
    OperationTrial.FaultFreeRun faultFreeRun = OperationTrial.calm(writerOperation);
    assertThat(faultFreeRun.requests()).hasSizeGreaterThan(3);
    each(
        faultFreeRun.requests().stream().filter(request -> requestFault.fits(request.operation())),
        request ->
            new OperationTrial(writerOperation)
                .survives(request, requestFault, faultFreeRun.account()));
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostWhileAnObjectCantBeReachedForLong_F6_F9(WriterOperation writerOperation) {
    OperationTrial.FaultFreeRun faultFreeRun = OperationTrial.calm(writerOperation);
    each(
        faultFreeRun.requests().stream(),
        request ->
            new OperationTrial(writerOperation)
                .survivesUnreachable(request, faultFreeRun.account()));
  }

  @ParameterizedTest
  @EnumSource
  void whoeverComesAfterADeathBeforeARequestFindsNothingAmiss_F4_F5_G10_G11(
      WriterOperation writerOperation) {
    OperationTrial.FaultFreeRun faultFreeRun = OperationTrial.calm(writerOperation);
    each(
        faultFreeRun.requests().stream(),
        request ->
            new OperationTrial(writerOperation)
                .survivesDeath(
                    request, FaultingBackend.FaultMode.DIES_BEFORE, faultFreeRun.account()));
  }

  @ParameterizedTest
  @EnumSource
  void whoeverComesAfterADeathAfterAWriteFindsNothingAmiss_F4_F5_G10_G11(
      WriterOperation writerOperation) {
    OperationTrial.FaultFreeRun faultFreeRun = OperationTrial.calm(writerOperation);
    each(
        faultFreeRun.requests().stream().filter(request -> request.operation() == Operation.PUT),
        request ->
            new OperationTrial(writerOperation)
                .survivesDeath(
                    request, FaultingBackend.FaultMode.DIES_AFTER, faultFreeRun.account()));
  }

  /** All of them, so that one look tells which go wrong. */
  private static void each(Stream<RequestKey> requests, Consumer<RequestKey> trial) {
    List<String> failures = new ArrayList<>();
    List<RequestKey> all = requests.toList();
    for (RequestKey request : all) {
      try {
        trial.accept(request);
      } catch (AssertionError | RuntimeException e) {
        failures.add(request + ": " + e);
      }
    }
    assertThat(failures).isEmpty();
  }
}
