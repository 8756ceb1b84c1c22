// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands between a client and a server, and breaks connections off where it is told to. */
public final class ConnectionBreakingProxy implements AutoCloseable {

  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+) *\r?$");

  /** Where a connection breaks off. */
  public enum Break {
    /** The server never hears of the request. */
    BEFORE,
    /** The server gets half of the body. */
    IN_THE_BODY,
    /** The server has done it, and its answer gets lost. */
    BEFORE_THE_ANSWER,
    /** The client gets the head of the answer and half of what follows. */
    IN_THE_ANSWER
  }

  private record Rule(Predicate<String> request, Break where, URI then, boolean once) {}

  private final ServerSocket socket;
  private final List<Rule> rules = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private volatile URI target;

  public ConnectionBreakingProxy(URI target) throws IOException {
    this.target = target;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  /** Where clients find it. */
  public String address() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** Breaks the next request off that has such a first line. */
  public void next(Predicate<String> request, Break where) {
    next(request, where, target);
  }

  /** The same; all after it go to another server. */
  public synchronized void next(Predicate<String> request, Break where, URI then) {
    rules.add(new Rule(request, where, then, true));
  }

  /** Breaks every request off that has such a first line, from now on. */
  public synchronized void always(Predicate<String> request, Break where) {
    rules.add(new Rule(request, where, target, false));
  }

  /** Forgets what was to break off. */
  public synchronized void heal() {
    rules.clear();
  }

  /** How many breaks have met no request yet. */
  public synchronized int waiting() {
    return rules.size();
  }

  /** The first lines of all requests, without the protocol. */
  public synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  private synchronized Optional<Rule> meet(String line) {
    requests.add(line);
    for (Iterator<Rule> all = rules.iterator(); all.hasNext(); ) {
      Rule rule = all.next();
      if (rule.request.test(line)) {
        if (rule.once) {
          all.remove();
        }
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  private void accept() {
    while (true) {
      Socket client;
      try {
        client = socket.accept();
      } catch (IOException e) {
        return; // closed
      }
      daemon(() -> serve(client));
    }
  }

  private void serve(Socket client) {
    try (Closeable closing = client) {
      InputStream in = client.getInputStream();
      while (exchange(in, client.getOutputStream())) {
        // the next one on the same connection
      }
    } catch (IOException e) {
      // The client sees it too.
    }
  }

  /** Returns whether the connection goes on. */
  private boolean exchange(InputStream in, OutputStream out) throws IOException {
    String head = head(in);
    String line = head.substring(0, head.indexOf(" HTTP/"));
    byte[] body = in.readNBytes((int) length(head));
    URI there = target;
    Optional<Rule> rule = meet(line);
    Optional<Break> found = rule.map(Rule::where);
    if (found.equals(Optional.of(Break.BEFORE))) {
      return false;
    }
    try (Socket server = new Socket(there.getHost(), there.getPort())) {
      OutputStream to = server.getOutputStream();
      to.write(head.getBytes(StandardCharsets.ISO_8859_1));
      if (found.equals(Optional.of(Break.IN_THE_BODY))) {
        to.write(body, 0, body.length / 2);
        to.flush();
        return false;
      }
      to.write(body);
      to.flush();
      InputStream from = server.getInputStream();
      String answer = head(from);
      boolean bodiless = line.startsWith("HEAD ") || answer.matches("(?s)HTTP/1.1 (204|304) .*");
      byte[] content = bodiless ? new byte[0] : from.readNBytes((int) length(answer));
      rule.ifPresent(met -> target = met.then);
      if (found.equals(Optional.of(Break.BEFORE_THE_ANSWER))) {
        return false;
      }
      out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
      boolean broken = found.equals(Optional.of(Break.IN_THE_ANSWER));
      out.write(content, 0, broken ? content.length / 2 : content.length);
      out.flush();
      return !broken;
    }
  }

  private static long length(String head) {
    Matcher matcher = LENGTH.matcher(head);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int ends = 0;
    while (ends < 4) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException();
      }
      head.write(b);
      ends = b == "\r\n\r\n".charAt(ends) ? ends + 1 : b == '\r' ? 1 : 0;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "breaking-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
