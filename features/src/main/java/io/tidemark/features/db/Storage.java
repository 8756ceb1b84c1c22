// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A storage as its own parts see it.
 *
 * @param database the connections to it
 * @param schema the schema of its tables, a plain name
 * @param id what the GUIDs of its features begin with
 */
public record Storage(Database database, String schema, String id) {

  /** What is to be done with a session. */
  @FunctionalInterface
  public interface Work<T> {
    T in(Session session) throws SQLException;
  }

  /** Does something in a transaction of its own, which is committed unless it fails. */
  public <T> T inTransaction(Work<T> work) {
    return database.inTransaction(connection -> work.in(new Session(connection, schema)));
  }

  /** Looks at something, all at the same moment. */
  public <T> T atOneMoment(Work<T> work) {
    return database.inTransaction(
        connection -> {
          connection.setReadOnly(true);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          return work.in(new Session(connection, schema));
        });
  }

  /** The name of a table, as SQL has it. Ids of collections have no quotes in them. */
  public String table(String name) {
    return schema + ".\"" + name + '"';
  }
}
