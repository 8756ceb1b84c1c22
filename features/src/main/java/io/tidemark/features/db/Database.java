// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.tidemark.features.model.StorageUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to a database, a bounded number of them. Time-outs are settings of each
 * connection; nothing is set that would change how queries are planned.
 */
public final class Database implements AutoCloseable {

  /** Longer than any statement takes of those that are sent over a connection of its own. */
  private static final Duration SILENCE = Duration.ofMinutes(10);

  /**
   * Time beyond the statement timeout in which the server's timeout error is awaited; after that,
   * the server or the network is considered down.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final JdbcUrl url;
  private final HikariDataSource pool;
  private final FeaturesOptions options;
  private final List<AutoCloseable> workers = new CopyOnWriteArrayList<>();

  private Database(JdbcUrl url, HikariDataSource pool, FeaturesOptions options) {
    this.url = url;
    this.pool = pool;
    this.options = options;
  }

  /** Work on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Connects, and fails if that can't be done. */
  public static Database connect(String jdbcUrl, FeaturesOptions options) {
    JdbcUrl url = JdbcUrl.parse(jdbcUrl);
    HikariConfig config = config(url, options);
    config.setInitializationFailTimeout(1); // one attempt: what is refused now is told now
    try {
      return new Database(url, new HikariDataSource(config), options);
    } catch (PoolInitializationException e) {
      throw PostgresErrorTranslator.translateConnect(e);
    }
  }

  /**
   * Returns a database whose server need not be reachable yet: connection failures appear with the
   * first use.
   */
  static Database connectLater(String jdbcUrl, FeaturesOptions options) {
    JdbcUrl url = JdbcUrl.parse(jdbcUrl);
    HikariConfig config = config(url, options);
    config.setInitializationFailTimeout(-1);
    return new Database(url, new HikariDataSource(config), options);
  }

  private static HikariConfig config(JdbcUrl plain, FeaturesOptions options) {
    JdbcUrl url =
        plain.withSettings(
            "-c statement_timeout=%d -c lock_timeout=%d"
                .formatted(
                    options.statementTimeout().toMillis(), options.lockTimeout().toMillis()));
    HikariConfig config = new HikariConfig();
    config.setPoolName("tidemark-features");
    config.setJdbcUrl(url.secret());
    config.setAutoCommit(false);
    config.setMaximumPoolSize(options.connections());
    config.setMinimumIdle(0);
    config.setConnectionTimeout(options.connectTimeout().toMillis());
    config.addDataSourceProperty("ApplicationName", "tidemark");
    config.addDataSourceProperty(
        "connectTimeout", Long.toString(options.connectTimeout().toSeconds()));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty(
        "socketTimeout", Long.toString(options.statementTimeout().plus(GRACE).toSeconds()));
    return config;
  }

  /** Returns the address of the database, without the password. */
  String address() {
    return url.toString();
  }

  /** Returns the options of the storage. */
  public FeaturesOptions options() {
    return options;
  }

  /** Returns a connection that the caller must close; its first use begins a transaction. */
  public Connection connection() {
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw new StorageUnavailableException(
          "no connection to PostgreSQL is free or can be made; close transactions, allow more"
              + " connections, or see whether the server runs",
          e);
    }
  }

  /**
   * Returns a connection outside the pool, for a caller that keeps it for long and must close it.
   * Each statement is a transaction of its own. A server that doesn't answer any more is noticed.
   */
  public Connection dedicatedConnection() {
    Properties properties = new Properties();
    properties.putAll(pool.getDataSourceProperties());
    properties.setProperty("socketTimeout", Long.toString(SILENCE.toSeconds()));
    try {
      return DriverManager.getConnection(pool.getJdbcUrl(), properties);
    } catch (SQLException e) {
      throw PostgresErrorTranslator.translate(e);
    }
  }

  /** Registers a worker that uses these connections by itself, to be closed before they are. */
  public void closeBeforePool(AutoCloseable worker) {
    workers.add(worker);
  }

  @Override
  public void close() {
    for (AutoCloseable worker : workers) {
      try {
        worker.close();
      } catch (Exception e) {
        LOG.warn("{} couldn't be closed", worker, e);
      }
    }
    pool.close();
  }
}
