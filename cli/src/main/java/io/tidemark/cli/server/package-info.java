// SPDX-License-Identifier: Apache-2.0
/** The verbs that run a server and look after one. */
@NullMarked
package io.tidemark.cli.server;

import org.jspecify.annotations.NullMarked;
