// SPDX-License-Identifier: Apache-2.0
/** Tests of the processes for tests. */
@NullMarked
package io.tidemark.testkit.process;

import org.jspecify.annotations.NullMarked;
