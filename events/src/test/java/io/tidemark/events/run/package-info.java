// SPDX-License-Identifier: Apache-2.0
/** Tests of runners. */
@NullMarked
package io.tidemark.events.run;

import org.jspecify.annotations.NullMarked;
