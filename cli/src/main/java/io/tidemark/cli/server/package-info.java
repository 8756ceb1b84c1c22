// SPDX-License-Identifier: Apache-2.0
/** The verbs that run, inspect and administer a server. */
@NullMarked
package io.tidemark.cli.server;

import org.jspecify.annotations.NullMarked;
