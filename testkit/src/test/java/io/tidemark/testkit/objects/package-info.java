// SPDX-License-Identifier: Apache-2.0
/** Tests of the test kit's own backends: a tool that lies makes every test above it lie. */
@NullMarked
package io.tidemark.testkit.objects;

import org.jspecify.annotations.NullMarked;
