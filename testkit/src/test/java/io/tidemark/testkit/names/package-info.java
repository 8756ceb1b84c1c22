// SPDX-License-Identifier: Apache-2.0
/** Tests of the test kit's own tools for the nameservice. */
@NullMarked
package io.tidemark.testkit.names;

import org.jspecify.annotations.NullMarked;
