// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Namespace;
import java.time.Clock;

/**
 * What the handlers of a runner share.
 *
 * @param namespace in which they work
 * @param sessionId of the runner
 * @param clock by which leases are judged
 * @param maxChainDepth how many events may cause each other
 */
record RunnerContext(Namespace namespace, String sessionId, Clock clock, int maxChainDepth) {}
