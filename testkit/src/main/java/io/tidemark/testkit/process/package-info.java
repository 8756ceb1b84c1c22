// SPDX-License-Identifier: Apache-2.0
/**
 * Other processes for tests: to race with, and to kill.
 *
 * <p>Start with {@link io.tidemark.testkit.process.ChildJvm}, which the test holds, and {@link
 * io.tidemark.testkit.process.ParentLink}, which the child's main method uses.
 */
@NullMarked
package io.tidemark.testkit.process;

import org.jspecify.annotations.NullMarked;
