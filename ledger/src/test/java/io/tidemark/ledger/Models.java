// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Indexed;
import io.tidemark.ledger.schema.InstanceKey;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.Left;
import io.tidemark.ledger.schema.Named;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Relation;
import io.tidemark.ledger.schema.Right;
import io.tidemark.ledger.schema.TypeId;
import java.util.List;
import java.util.Optional;

/** The types that the tests write. */
final class Models {

  static final TypeId CUSTOMER = TypeId.entity("Customer");
  static final TypeId PRODUCT = TypeId.entity("Product");
  static final TypeId SUBSCRIPTION = TypeId.relation("Subscription");
  static final TypeId EMPLOYMENT = TypeId.relation("Employment");

  static final List<TypeId> TYPES = List.of(CUSTOMER, PRODUCT, SUBSCRIPTION);

  private Models() {}

  @Entity
  record Customer(
      @Key String id,
      String name,
      long age,
      @Indexed Optional<String> email,
      @Indexed String tier,
      boolean active) {

    static Customer of(String id, long age) {
      return new Customer(id, "Name of " + id, age, Optional.empty(), "Standard", true);
    }
  }

  /** A customer after a migration. */
  @Entity(name = "Customer")
  record LaterCustomer(
      @Key String id,
      String name,
      long age,
      @Indexed Optional<String> email,
      @Indexed String tier,
      boolean active,
      String note) {

    static LaterCustomer of(String id, long age) {
      return new LaterCustomer(
          id, "Name of " + id, age, Optional.empty(), "Standard", true, "written so");
    }
  }

  @Entity
  record Product(@Key String sku, String name, double price, @Indexed String category) {
    static Product of(String sku) {
      return new Product(sku, "Name of " + sku, 9.99, "General");
    }
  }

  @Relation(left = Customer.class, right = Product.class)
  record Subscription(
      @Left String customer,
      @Right String product,
      @Named("seat_count") long seatCount,
      @Named("started_at") String startedAt,
      boolean active) {

    static Subscription of(String customer, String product, long seats) {
      return new Subscription(customer, product, seats, "2026-01-01", true);
    }
  }

  static RecordType<?>[] all() {
    return new RecordType<?>[] {
      RecordType.of(Customer.class), RecordType.of(Product.class), RecordType.of(Subscription.class)
    };
  }

  @Entity
  record Person(@Key String id, String name) {}

  @Entity
  record Company(@Key String id, String name) {}

  @Relation(left = Person.class, right = Company.class)
  record Employment(
      @Left String person,
      @Right String company,
      @InstanceKey @Named("stint_id") String stintId,
      String role,
      @Named("started_at") String startedAt) {}
}
