// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Namespace;
import java.time.Clock;

/**
 * Context that the handlers of a runner share.
 *
 * @param namespace namespace of the events
 * @param sessionId session of the runner
 * @param clock clock by which leases are judged
 * @param maxChainDepth maximum number of events that cause each other
 */
record RunnerContext(Namespace namespace, String sessionId, Clock clock, int maxChainDepth) {}
