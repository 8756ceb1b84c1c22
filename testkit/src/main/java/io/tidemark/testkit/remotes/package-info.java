// SPDX-License-Identifier: Apache-2.0
/**
 * Contract suite of the service of remotes, run in process and over a real server: {@link
 * io.tidemark.testkit.remotes.RemoteServiceContract}.
 */
@NullMarked
package io.tidemark.testkit.remotes;

import org.jspecify.annotations.NullMarked;
