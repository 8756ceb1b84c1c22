// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:db",
        "jdbc:postgresql://host/db",
        "jdbc:postgresql://host:5432/db?user=a@b.c",
        "jdbc:postgresql://[::1]:5432/db",
        "jdbc:postgresql://one:5432,two:5433/db?targetServerType=primary"
      })
  void whatTheDriverTakesIsTaken(String text) {
    assertThat(JdbcUrl.parse(text).secret()).isEqualTo(text);
    assertThat(JdbcUrl.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret",
        "jdbc:mysql://host/secret",
        "jdbc:postgresql://me:secret@host/db",
        "jdbc:postgresql:me:secret@host/db",
        "jdbc:postgresql://host:secret/db"
      })
  void whatIsRefusedIsNotRepeated(String text) {
    assertThatThrownBy(() -> JdbcUrl.parse(text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("one looks like jdbc:postgresql://host:5432/database?user=me")
        .hasMessageNotContaining("secret");
  }

  @Test
  void settingsComeBeforeThoseThatAreThere() {
    assertThat(JdbcUrl.parse("jdbc:postgresql:db").withSettings("-c a=1").secret())
        .isEqualTo("jdbc:postgresql:db?options=-c+a%3D1");
    assertThat(JdbcUrl.parse("jdbc:postgresql:db?user=u").withSettings("-c a=1").secret())
        .isEqualTo("jdbc:postgresql:db?user=u&options=-c+a%3D1");
    assertThat(
            JdbcUrl.parse("jdbc:postgresql:db?options=-c%20b=2&user=u")
                .withSettings("-c a=1")
                .secret())
        .isEqualTo("jdbc:postgresql:db?options=-c+a%3D1+-c%20b=2&user=u");
  }

  @Test
  void aPasswordIsAddedAndHidden() {
    JdbcUrl plain = JdbcUrl.parse("jdbc:postgresql://host/db");
    assertThat(plain.hasPassword()).isFalse();
    JdbcUrl with = plain.withPassword("a b&c");
    assertThat(with.hasPassword()).isTrue();
    assertThat(with.secret()).isEqualTo("jdbc:postgresql://host/db?password=a+b%26c");
    assertThat(with).hasToString("jdbc:postgresql://host/db?password=***");
    assertThat(JdbcUrl.parse("jdbc:postgresql://h/d?sslpassword=x&user=u&password=y&ssl=true"))
        .hasToString("jdbc:postgresql://h/d?sslpassword=***&user=u&password=***&ssl=true");
  }
}
