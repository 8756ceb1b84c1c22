// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

/**
 * Things that move by compare-and-set, numbered from 0: records of a nameservice, rows, files.
 * Every method may be called by many threads at a time.
 *
 * @param <S> what a writer has to know of a register to move it
 */
interface Registers<S> extends AutoCloseable {

  /**
   * How a move ended.
   *
   * @param now the state after it: the one moved to, or the one somebody else had moved to
   * @param made whether it was made
   */
  record Move<S>(S now, boolean made) {}

  /** Makes a register and says how it is. */
  S create(int register) throws Exception;

  /** Says how a register is. */
  S read(int register) throws Exception;

  /** Moves a register one step on, if it is still in the state given. */
  Move<S> move(int register, S from) throws Exception;

  @Override
  void close() throws Exception;
}
