// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * Target of a webhook: a host that is resolved and checked for each request. The connection goes to
 * the checked address, so a DNS change in between makes no difference.
 *
 * @param uri address as it was given
 */
record WebhookTarget(URI uri, AddressPolicy policy, HostResolver resolver) {
  WebhookTarget {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new RefusedTargetException(
          "events can't be sent by " + scheme + "; give an address of http or https");
    }
    if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw new RefusedTargetException(
          "the address of a webhook has a host, and no user or fragment; sign the events instead");
    }
  }

  boolean isHttps() {
    return uri.getScheme().equalsIgnoreCase("https");
  }

  /** Returns the host as it is written in the address; one of IPv6 in brackets. */
  String host() {
    return uri.getHost();
  }

  boolean isLiteral() {
    return host().startsWith("[") || host().matches("[0-9.]+");
  }

  /** Returns the value of the {@code Host} header. */
  String authority() {
    return uri.getPort() < 0 ? host() : host() + ":" + uri.getPort();
  }

  /** Returns the target without path and query, which may hold a token. */
  @Override
  public String toString() {
    return uri.getScheme() + "://" + authority();
  }

  /**
   * Returns the address with a resolved IP address in place of the host.
   *
   * @param attempt number from 1; a retry takes another address of the host, if it has several
   */
  URI pinned(int attempt) {
    List<InetAddress> addresses = addresses();
    InetAddress chosen = addresses.get(Math.floorMod(attempt - 1, addresses.size()));
    String text = chosen.getHostAddress();
    int scope = text.indexOf('%');
    String plain = scope < 0 ? text : text.substring(0, scope);
    String host = plain.indexOf(':') < 0 ? plain : "[" + plain + "]";
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    try {
      return new URI(uri.getScheme() + "://" + host + port + path + query);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the address of " + this + " can't be written", e);
    }
  }

  /**
   * Resolves the host. One refused address is enough to refuse them all, as such a host is
   * suspicious.
   */
  private List<InetAddress> addresses() {
    List<InetAddress> found;
    try {
      found = resolver.resolve(host());
    } catch (UnknownHostException e) {
      throw new WebhookFailedException("the host of " + this + " isn't known", e);
    }
    if (found.isEmpty()) {
      throw new WebhookFailedException("the host of " + this + " has no address", null);
    }
    for (InetAddress address : found) {
      if (!policy.allows(address)) {
        throw new RefusedTargetException(
            "%s is at %s, which isn't a public address; allow it by AddressPolicy.ANY"
                .formatted(this, address.getHostAddress()));
      }
    }
    return found;
  }
}
