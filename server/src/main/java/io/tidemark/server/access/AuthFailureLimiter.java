// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.server.problem.ProblemException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rate limiter of failed authentication, by client address. It refuses a client that tries many
 * tokens and keeps such a client from filling the log. It keeps only the latest addresses, and
 * counts an IPv6 network as one address, since one owner has all addresses of it.
 */
final class AuthFailureLimiter {

  static final int ALLOWED = 20;
  static final Duration WINDOW = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(AuthFailureLimiter.class);
  private static final int ADDRESSES = 10_000;
  private static final int NETWORK_BYTES = 8;

  private final MonotonicTime time;
  private final Map<String, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
          return size() > ADDRESSES;
        }
      };

  private record Count(long since, int failures) {}

  AuthFailureLimiter(MonotonicTime time) {
    this.time = time;
  }

  /** Counts a failure and returns the problem to answer with. */
  ProblemException recordFailure(String address) {
    Count count = count(network(address));
    if (count.failures <= ALLOWED) {
      return AccessProblems.unauthenticated(AccessProblems.Reason.BAD_TOKEN);
    }
    if (count.failures == ALLOWED + 1) {
      LOG.warn("{} has sent {} tokens that aren't valid within a minute", address, ALLOWED + 1);
    }
    long left = WINDOW.minusNanos(time.nanos() - count.since).toSeconds();
    return AccessProblems.tooManyAttempts(Math.max(1, left));
  }

  private synchronized Count count(String network) {
    Count before = counts.get(network);
    boolean fresh = before == null || time.nanos() - before.since > WINDOW.toNanos();
    Count now =
        before == null || fresh
            ? new Count(time.nanos(), 1)
            : new Count(before.since, Math.min(before.failures + 1, ALLOWED + 2));
    counts.put(network, now);
    return now;
  }

  /**
   * Returns the key by which an address is counted. Addresses are literal, so this does no DNS
   * lookup.
   */
  private static String network(String address) {
    try {
      InetAddress parsed = InetAddress.getByName(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), NETWORK_BYTES))
          : address;
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
