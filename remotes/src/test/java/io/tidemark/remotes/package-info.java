// SPDX-License-Identifier: Apache-2.0
/** Tests of pushing and pulling between two stores; {@link io.tidemark.remotes.Site} is one. */
@NullMarked
package io.tidemark.remotes;

import org.jspecify.annotations.NullMarked;
