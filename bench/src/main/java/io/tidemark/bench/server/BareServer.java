// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** The floor: a server of the same make that answers everything with the same bytes. */
final class BareServer implements AutoCloseable {

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  private BareServer(Handler handler) throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(handler);
    server.start();
  }

  /** One that doesn't look at what it is asked. */
  static BareServer answering(byte[] answer) throws Exception {
    return new BareServer(
        new Handler.Abstract.NonBlocking() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            answer(answer, response, callback);
            return true;
          }
        });
  }

  /** One that reads a body without a look at it, and does what its path is the number of. */
  static BareServer calling(byte[] answer, IntConsumer call) throws Exception {
    return new BareServer(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback)
              throws Exception {
            Content.Source.consumeAll(request);
            call.accept(Integer.parseInt(request.getHttpURI().getPath().substring(1)));
            answer(answer, response, callback);
            return true;
          }
        });
  }

  private static void answer(byte[] answer, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.length);
    response.write(true, ByteBuffer.wrap(answer), callback);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
