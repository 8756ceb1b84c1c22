// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Policy for the addresses that events are sent to. */
public enum AddressPolicy {

  /**
   * Only to globally reachable addresses. Excluded are this machine, private networks, link-local
   * addresses (where clouds keep the credentials of machines), unspecified, multicast and reserved
   * addresses, and IPv6 addresses that embed an excluded IPv4 one.
   */
  PUBLIC {
    @Override
    boolean allows(InetAddress address) {
      return isPublic(address.getAddress());
    }
  },

  /** To all addresses, for receivers in one's own network. */
  ANY {
    @Override
    boolean allows(InetAddress address) {
      return true;
    }
  };

  /** Range of addresses that begin with the same bits. */
  private static final class Range {
    private final byte[] start;
    private final int bits;

    Range(byte[] start, int bits) {
      this.start = start;
      this.bits = bits;
    }

    static Range of(String text) {
      int slash = text.indexOf('/');
      return new Range(
          literal(text.substring(0, slash)).getAddress(),
          Integer.parseInt(text.substring(slash + 1)));
    }

    boolean contains(byte[] address) {
      if (address.length != start.length) {
        return false;
      }
      int whole = bits / Byte.SIZE;
      int rest = bits % Byte.SIZE;
      return Arrays.equals(address, 0, whole, start, 0, whole)
          && (rest == 0
              || (address[whole] & 0xff) >> (Byte.SIZE - rest)
                  == (start[whole] & 0xff) >> (Byte.SIZE - rest));
    }
  }

  private static List<Range> ranges(String... texts) {
    return Arrays.stream(texts).map(Range::of).toList();
  }

  /**
   * Ranges that the registry of special-purpose addresses (RFC 6890) doesn't call globally
   * reachable.
   */
  private static final List<Range> NOT_PUBLIC_4 =
      ranges(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4");

  /** The only range of IPv6 that is allocated for global unicast. */
  private static final List<Range> PUBLIC_6 = ranges("2000::/3");

  private static final List<Range> NOT_PUBLIC_6 =
      ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

  /** Prefixes whose last four bytes are an IPv4 address, to which a network may translate. */
  private static final List<Range> TRANSLATED = ranges("64:ff9b::/96");

  /** Returns whether connections to an address are allowed. */
  abstract boolean allows(InetAddress address);

  private static boolean isPublic(byte[] address) {
    if (address.length == 4) {
      return isInNone(NOT_PUBLIC_4, address);
    }
    if (!isInNone(TRANSLATED, address)) {
      return isPublic(Arrays.copyOfRange(address, 12, 16));
    }
    return !isInNone(PUBLIC_6, address) && isInNone(NOT_PUBLIC_6, address);
  }

  private static boolean isInNone(List<Range> ranges, byte[] address) {
    return ranges.stream().noneMatch(range -> range.contains(address));
  }

  private static InetAddress literal(String text) {
    try {
      InetAddress address = InetAddress.getByName(text);
      if (address instanceof Inet4Address || address instanceof Inet6Address) {
        return address;
      }
      throw new IllegalStateException("no address: " + text);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("no address: " + text, e);
    }
  }
}
